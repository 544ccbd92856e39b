//! Minimum of ½ xᵀA x − bᵀx with x within bounds and friction cones, by gradient projection and conjugate
//! gradients (after Moré and Toraldo).
//!
//! Projected gradient steps find which contacts are open, stick or slide; conjugate gradients then minimise on that
//! face, where sticking contacts have three unknowns, sliding ones two on the surface of their cone, and open ones
//! none. What leaves the cones is projected back, and the step shortened until it lowers the energy. As every
//! step lowers it, the method cannot cycle; a first guess near the answer is worth as much as it is near.

use super::{BoundedOutcome, Bounds};
use drystone_kernels::elementary::hypot;
use drystone_solve::linalg::krylov::{Stop, Workspace, combine, dot, norm};

/// Projected gradient steps between two faces.
const GRADIENT_STEPS: usize = 3;
/// Conjugate gradients on a face end at this share of the residual they began with: only so much is worth knowing
/// about a face that may be the wrong one.
const FACE_ACCURACY: f64 = 0.03;
/// Curvature relative to the largest met below which A does not feel a direction of a face.
const UNFELT: f64 = 1.0e-8;
/// Growth of the square of the residual that shows a face whose equations contradict each other.
const RUNAWAY: f64 = 100.0;
/// Rounds without progress after which it ends.
const STALLS: u32 = 20;
/// Halvings of a step that does not lower the energy.
const HALVINGS: usize = 6;
/// Energy of the image of a step relative to its slope up to which it is taken whole.
const WELL: f64 = 0.9;
/// Distance to the surface of a cone relative to its size that counts as none.
const ON_SURFACE: f64 = 1.0e-12;

/// Friction of one contact: with μ the unknowns of three rows in succession lie in |(x₁, x₂)| ≤ μ x₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Row of the normal; those of the tangents follow.
    pub first: u32,
    /// Coefficient μ ≥ 0, in the units of the rows.
    pub friction: f64,
}

/// The set x must lie in: cones where there are some, bounds elsewhere. Bounds of rows in cones do not count.
#[derive(Clone, Copy, Debug)]
pub struct Cones<'a> {
    /// Right-hand side and bounds.
    pub bounds: Bounds<'a>,
    /// Cones, none sharing rows.
    pub cone: &'a [Cone],
    /// Whether a row belongs to a cone.
    pub coned: &'a [bool],
}

/// How a contact or a bounded unknown may move on a face.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Free,
    Fixed,
    /// On the surface of the cone: along its edge with friction `toward`, and around it against the stiffness `bend`
    /// that comes of the surface being round.
    Surface {
        toward: [f64; 2],
        bend: f64,
    },
}

impl Cones<'_> {
    /// The nearest point of the set.
    pub fn project(&self, x: &mut [f64]) {
        for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| !self.coned[*i]) {
            *x = x.max(self.bounds.lower[i]).min(self.bounds.upper[i]);
        }
        for cone in self.cone {
            let i = cone.first as usize;
            let (normal, size, mu) = (x[i], hypot(x[i + 1], x[i + 2]), cone.friction);
            if normal >= 0.0 && size <= mu * normal {
                continue;
            }
            let along = (normal + mu * size).max(0.0) / (1.0 + mu * mu);
            let share = if size > 0.0 { mu * along / size } else { 0.0 };
            (x[i], x[i + 1], x[i + 2]) = (along, share * x[i + 1], share * x[i + 2]);
        }
    }

    /// Where a contact is about to be: at `y`, the projection of x − g.
    fn place(&self, cone: &Cone, y: &[f64], g: &[f64]) -> Place {
        let (i, mu) = (cone.first as usize, cone.friction);
        let size = hypot(y[i + 1], y[i + 2]);
        if y[i] <= 0.0 {
            return Place::Fixed;
        }
        if size < mu * y[i] * (1.0 - ON_SURFACE) {
            return Place::Free;
        }
        let toward = if size > 0.0 { [y[i + 1] / size, y[i + 2] / size] } else { [0.0; 2] };
        // The multiplier of μ x₀ − |(x₁, x₂)| ≥ 0 times the second derivative of that.
        let outwards = mu * g[i] - toward[0] * g[i + 1] - toward[1] * g[i + 2];
        let bend = if size > 0.0 { outwards.max(0.0) / ((1.0 + mu * mu) * size) } else { 0.0 };
        Place::Surface { toward, bend }
    }

    /// The part of a vector along the face.
    fn along_face(&self, face: &[Place], v: &mut [f64]) {
        let (rows, cones) = face.split_at(v.len());
        for (v, place) in v.iter_mut().zip(rows) {
            *v = if *place == Place::Fixed { 0.0 } else { *v };
        }
        for (cone, place) in self.cone.iter().zip(cones) {
            let (i, mu) = (cone.first as usize, cone.friction);
            match place {
                Place::Free => {}
                Place::Fixed => v[i..i + 3].fill(0.0),
                Place::Surface { toward: [c, s], .. } => {
                    let edge = (v[i] + mu * (c * v[i + 1] + s * v[i + 2])) / (1.0 + mu * mu);
                    let around = c * v[i + 2] - s * v[i + 1];
                    (v[i], v[i + 1], v[i + 2]) = (edge, mu * edge * c - around * s, mu * edge * s + around * c);
                }
            }
        }
    }

    /// Adds the stiffness of the surfaces to the product of A with v.
    fn bend(&self, face: &[Place], v: &[f64], out: &mut [f64]) {
        for (cone, place) in self.cone.iter().zip(&face[v.len()..]) {
            if let Place::Surface { toward: [c, s], bend } = place {
                let i = cone.first as usize;
                let around = bend * (c * v[i + 2] - s * v[i + 1]);
                out[i + 1] -= around * s;
                out[i + 2] += around * c;
            }
        }
    }

    /// The face that a gradient step from x to its projection `y` ends on.
    fn face(&self, y: &[f64], g: &[f64], face: &mut Vec<Place>) {
        let (lower, upper) = (self.bounds.lower, self.bounds.upper);
        face.clear();
        face.extend((0..y.len()).map(|i| {
            let inside = self.coned[i] || y[i] > lower[i] && y[i] < upper[i];
            if inside { Place::Free } else { Place::Fixed }
        }));
        face.extend(self.cone.iter().map(|cone| self.place(cone, y, g)));
    }
}

/// Room for [`cone_descent`].
#[derive(Clone, Debug, Default)]
pub struct ConeWorkspace {
    vectors: Workspace,
    face: Vec<Place>,
}

/// Finds the minimum with A given by its product; entries of A's diagonal should be alike, and alike for both tangents
/// of a contact. `x` holds a first guess and receives the answer. The violation, which `stop` is on, is the norm of
/// x − P(x − Ax + b), with P the projection.
pub fn cone_descent(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    cones: Cones,
    x: &mut [f64],
    stop: Stop,
    work: &mut ConeWorkspace,
) -> BoundedOutcome {
    let ConeWorkspace { vectors, face } = work;
    let [g, s, image, d, drift, r, p] = vectors.take(x.len());
    let mut descent = Descent { cones, face, g, s, image, d, drift, r, p, iterations: 0, exact: false, stiffest: 0.0 };
    descent.cones.project(x);
    descent.renew_gradient(&mut apply, x);
    let (mut pace, mut last, mut stalls) = (1.0, f64::INFINITY, 0);
    loop {
        for step in 0..GRADIENT_STEPS {
            let mut violation = descent.violation(x);
            if violation <= stop.residual && !descent.exact {
                descent.renew_gradient(&mut apply, x);
                violation = descent.violation(x);
            }
            if step == 0 {
                // Rounding is the end of what can be gained.
                stalls = if violation < 0.999 * last { 0 } else { stalls + 1 };
                last = violation;
            }
            let over = descent.iterations >= stop.max_iterations || stalls > STALLS || !violation.is_finite();
            if violation <= stop.residual || over {
                let converged = violation <= stop.residual;
                return BoundedOutcome { converged, iterations: descent.iterations, violation };
            }
            pace = descent.gradient_step(&mut apply, x, pace);
        }
        descent.find_face(x);
        descent.minimise_on_face(&mut apply, stop);
        descent.face_step(&mut apply, x);
    }
}

/// A descent under way; all vectors are as long as x.
struct Descent<'a> {
    cones: Cones<'a>,
    face: &'a mut Vec<Place>,
    /// Gradient A x − b, carried along.
    g: &'a mut [f64],
    /// A step, and its product with A.
    s: &'a mut [f64],
    image: &'a mut [f64],
    /// The way to the minimum on the face, and its product with A and the bends.
    d: &'a mut [f64],
    drift: &'a mut [f64],
    /// Residual and direction of the conjugate gradients.
    r: &'a mut [f64],
    p: &'a mut [f64],
    iterations: usize,
    /// Whether the gradient was computed and not carried along.
    exact: bool,
    /// Largest curvature met.
    stiffest: f64,
}

impl Descent<'_> {
    /// Computes A x − b.
    fn renew_gradient(&mut self, apply: &mut impl FnMut(&[f64], &mut [f64]), x: &[f64]) {
        apply(x, self.g);
        self.g.iter_mut().zip(self.cones.bounds.rhs).for_each(|(g, b)| *g -= b);
        self.iterations += 1;
        self.exact = true;
    }

    /// Norm of x − P(x − g).
    fn violation(&mut self, x: &[f64]) -> f64 {
        self.set_projected(x, |_, g| -g);
        norm(self.s)
    }

    /// s = P(x + way) − x, `way` being made of the entries of d and g.
    fn set_projected(&mut self, x: &[f64], way: impl Fn(f64, f64) -> f64) {
        for i in 0..x.len() {
            self.s[i] = x[i] + way(self.d[i], self.g[i]);
        }
        self.cones.project(self.s);
        self.s.iter_mut().zip(x).for_each(|(s, x)| *s -= x);
    }

    /// One step of gradient projection; returns the length of the next one after Barzilai and Borwein.
    fn gradient_step(&mut self, apply: &mut impl FnMut(&[f64], &mut [f64]), x: &mut [f64], pace: f64) -> f64 {
        self.set_projected(x, |_, g| -pace * g);
        apply(self.s, self.image);
        self.iterations += 1;
        let curvature = dot(self.s, self.image);
        let next = if curvature > 0.0 { (dot(self.s, self.s) / curvature).clamp(1e-6, 1e6) } else { 1.0 };
        self.descend(x);
        next
    }

    /// The face that a gradient step ends on.
    fn find_face(&mut self, x: &[f64]) {
        (0..x.len()).for_each(|i| self.s[i] = x[i] - self.g[i]);
        self.cones.project(self.s);
        self.cones.face(self.s, self.g, self.face);
    }

    /// Conjugate gradients along the face: leaves the way to its minimum in d.
    fn minimise_on_face(&mut self, apply: &mut impl FnMut(&[f64], &mut [f64]), stop: Stop) {
        let Self { cones, face, g, image, d, drift, r, p, iterations, stiffest, .. } = self;
        r.iter_mut().zip(&**g).for_each(|(r, g)| *r = -g);
        cones.along_face(face, r);
        p.copy_from_slice(r);
        d.fill(0.0);
        drift.fill(0.0);
        let start = dot(r, r);
        let mut old = start;
        let goal = (FACE_ACCURACY * FACE_ACCURACY * start).max(0.01 * stop.residual * stop.residual);
        while old > goal && old <= RUNAWAY * start && *iterations < stop.max_iterations {
            apply(p, image);
            cones.bend(face, p, image);
            *iterations += 1;
            let curvature = dot(p, image);
            let felt = curvature / dot(p, p);
            *stiffest = stiffest.max(felt);
            // On the wrong face forces may be asked for that nothing resists: gradient steps change the face.
            if felt <= UNFELT * *stiffest || felt.is_nan() {
                break;
            }
            combine(d, old / curvature, p, 1.0);
            combine(drift, old / curvature, image, 1.0);
            (0..r.len()).for_each(|i| r[i] = -(g[i] + drift[i]));
            cones.along_face(face, r);
            let new = dot(r, r);
            combine(p, 1.0, r, new / old);
            old = new;
        }
    }

    /// Goes along d, projected, shortened until it leads downhill.
    fn face_step(&mut self, apply: &mut impl FnMut(&[f64], &mut [f64]), x: &mut [f64]) {
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            self.set_projected(x, |d, _| share * d);
            apply(self.s, self.image);
            self.iterations += 1;
            if dot(self.g, self.s) < noise(x, self.g) {
                return self.descend(x);
            }
            share *= 0.5;
        }
    }

    /// Goes by s, which ends within the set, if that lowers the energy well; else to its minimum on the way, which lies within
    /// as well. (The minimum is not always the better end: between two points of a round surface there is its inside.)
    fn descend(&mut self, x: &mut [f64]) {
        let (slope, curvature) = (dot(self.g, self.s), dot(self.s, self.image));
        let well = 0.5 * curvature <= noise(x, self.g) - WELL * slope;
        let share = if well { 1.0 } else { (-slope / curvature).clamp(0.0, 1.0) };
        combine(x, share, self.s, 1.0);
        combine(self.g, share, self.image, 1.0);
        self.exact = false;
    }
}

/// Changes of the energy below this are rounding errors: steps that small are taken as they are.
fn noise(x: &[f64], g: &[f64]) -> f64 {
    2.0 * f64::EPSILON * x.iter().zip(g).map(|(x, g)| (x * g).abs()).sum::<f64>()
}
