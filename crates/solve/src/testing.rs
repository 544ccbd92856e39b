//! Plain, slow references for the tests of the parts.

/// The edges of a square lattice.
pub fn grid(size: u32) -> Vec<[u32; 2]> {
    let at = |x: u32, y: u32| x * size + y;
    let across = (1..size).flat_map(|x| (0..size).map(move |y| [at(x - 1, y), at(x, y)]));
    let down = (0..size).flat_map(|x| (1..size).map(move |y| [at(x, y - 1), at(x, y)]));
    across.chain(down).collect()
}

/// Largest difference of two vectors' entries.
pub fn max_abs_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A dense square matrix, row by row.
#[derive(Clone)]
pub struct Dense {
    /// Rows and columns.
    pub n: usize,
    /// Entries, row after row.
    pub entry: Vec<f64>,
}

impl Dense {
    /// All zeros.
    pub fn zero(n: usize) -> Self {
        Self { n, entry: vec![0.0; n * n] }
    }

    /// Adds a block with its upper left corner at (row, column).
    pub fn add_block<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; C]; R]) {
        for i in 0..R {
            for j in 0..C {
                self.entry[(row + i) * self.n + column + j] += block[i][j];
            }
        }
    }

    /// The product with a vector.
    pub fn mul_vec(&self, x: &[f64]) -> Vec<f64> {
        self.entry.chunks(self.n.max(1)).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    /// Gaussian elimination with partial pivoting.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.n;
        let mut rows: Vec<Vec<f64>> = self.entry.chunks(n).map(<[f64]>::to_vec).collect();
        rows.iter_mut().zip(b).for_each(|(row, &b)| row.push(b));
        for k in 0..n {
            let largest = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
            rows.swap(k, largest);
            let (top, rest) = rows.split_at_mut(k + 1);
            for row in rest {
                let factor = row[k] / top[k][k];
                (k..=n).for_each(|j| row[j] -= factor * top[k][j]);
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
            x[i] = (rows[i][n] - known) / rows[i][i];
        }
        x
    }
}

thread_local! {
    static OPERATIONS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A number that counts the arithmetic done on its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Counted(f64);

impl Counted {
    /// Starts counting at zero.
    pub fn reset() {
        OPERATIONS.set(0);
    }

    fn tick() {
        OPERATIONS.set(OPERATIONS.get() + 1);
    }

    /// Operations since the last reset.
    pub fn count() -> u64 {
        OPERATIONS.get()
    }
}

macro_rules! counted {
    ($($operator:ident $name:ident $assign:ident $assign_name:ident),*) => {$(
        impl std::ops::$operator for Counted {
            type Output = Self;
            fn $name(self, other: Self) -> Self {
                Self::tick();
                Self(std::ops::$operator::$name(self.0, other.0))
            }
        }
        impl std::ops::$assign for Counted {
            fn $assign_name(&mut self, other: Self) {
                *self = std::ops::$operator::$name(*self, other);
            }
        }
    )*};
}

counted!(Add add AddAssign add_assign, Sub sub SubAssign sub_assign, Mul mul MulAssign mul_assign, Div div DivAssign div_assign);

impl std::ops::Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl crate::linalg::real::Real for Counted {
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const EPSILON: Self = Self(f64::EPSILON);

    fn of(value: f64) -> Self {
        Self(value)
    }

    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    fn to_f64(self) -> f64 {
        self.0
    }
}
