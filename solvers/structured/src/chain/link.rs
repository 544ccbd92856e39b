//! Four links of a chain at once: rigid bodies with a joint at either end. The joint on the way to the end of the chain is
//! the outer one, the other, towards the middle, the inner one.

use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Vectors, Wide3, WideMatrix, WideSym, WideTurn};
use drystone_model::{DMat3, DQuat, DVec3, State};

use crate::free_rotation::{LARGEST_TURN, turned};
use crate::wide::vector;

/// What links of the same make share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia about the centre of mass, body axes \[kg·m²\].
    pub inertia: DMat3,
    /// Its inverse.
    pub inverse: DMat3,
    /// Joints from the centre of mass in the order of the chain, body axes \[m\].
    pub anchor: [DVec3; 2],
    /// Centre of mass in the body frame \[m\].
    pub com: DVec3,
}

impl Kind {
    /// How readily pulls at a joint make it swing: the square of the norm of I⁻¹ times that of the anchor.
    fn give(&self, end: usize) -> f64 {
        let norm: f64 = self.inverse.to_cols_array().iter().map(|entry| entry * entry).sum();
        norm * self.anchor[end].length_squared()
    }

    /// Whether another is the same but for anchors that differ by no more than `rounding` metres.
    pub fn is_like(&self, other: &Self, rounding: f64) -> bool {
        let near = |end: usize| (self.anchor[end] - other.anchor[end]).abs().max_element() <= rounding;
        (self.mass, self.com) == (other.mass, other.com) && self.inertia == other.inertia && near(0) && near(1)
    }
}

/// What four links share with others of their make.
#[derive(Clone, Copy)]
pub struct Make<L: Lanes> {
    /// Which kinds these are.
    of: [u32; 4],
    /// \[kg\].
    pub mass: Simd4<L>,
    /// \[1/kg\].
    pub inverse_mass: Simd4<L>,
    /// Inertia, body axes \[kg·m²\].
    pub inertia: WideSym<L>,
    /// Its inverse.
    pub inverse: WideSym<L>,
    /// Outer joint from the centre of mass, body axes \[m\].
    pub outer: Wide3<L>,
    /// Inner joint.
    pub inner: Wide3<L>,
    /// Centre of mass in the body frame \[m\].
    pub com: Wide3<L>,
    /// How readily pulls at the outer and at the inner joint make it swing \[m²/(kg·m²)²\].
    pub give: [Simd4<L>; 2],
}

impl<L: Lanes> Make<L> {
    /// The makes `of` four links, of which the joint `outer` in the order of the chain is the outer one.
    #[inline(always)]
    pub fn new(lanes: L, kinds: &[Kind], of: [u32; 4], outer: usize) -> Self {
        let kind = of.map(|kind| &kinds[kind as usize]);
        macro_rules! each {
            ($kind:ident => $value:expr) => {{
                let value = |$kind: &Kind| $value;
                [value(kind[0]), value(kind[1]), value(kind[2]), value(kind[3])]
            }};
        }
        macro_rules! symmetric {
            ($of:ident) => {
                WideSym([
                    Simd4::load(lanes, &each!(kind => kind.$of.x_axis.x)),
                    Simd4::load(lanes, &each!(kind => kind.$of.y_axis.x)),
                    Simd4::load(lanes, &each!(kind => kind.$of.z_axis.x)),
                    Simd4::load(lanes, &each!(kind => kind.$of.y_axis.y)),
                    Simd4::load(lanes, &each!(kind => kind.$of.z_axis.y)),
                    Simd4::load(lanes, &each!(kind => kind.$of.z_axis.z)),
                ])
            };
        }
        Self {
            of,
            mass: Simd4::load(lanes, &each!(kind => kind.mass)),
            inverse_mass: Simd4::load(lanes, &each!(kind => 1.0 / kind.mass)),
            inertia: symmetric!(inertia),
            inverse: symmetric!(inverse),
            outer: Wide3::gather(lanes, each!(kind => kind.anchor[outer])),
            inner: Wide3::gather(lanes, each!(kind => kind.anchor[1 - outer])),
            com: Wide3::gather(lanes, each!(kind => kind.com)),
            give: [
                Simd4::load(lanes, &each!(kind => kind.give(outer))),
                Simd4::load(lanes, &each!(kind => kind.give(1 - outer))),
            ],
        }
    }

    /// Makes of other links, which are mostly the same.
    #[inline(always)]
    pub fn turn_to(&mut self, lanes: L, kinds: &[Kind], of: [u32; 4], outer: usize) {
        if self.of != of {
            *self = Self::new(lanes, kinds, of, outer);
        }
    }

    /// Joints from the centre of mass, world axes \[m\]: the outer and the inner one.
    #[inline(always)]
    pub fn levers(&self, turn: WideMatrix<L>) -> [Wide3<L>; 2] {
        [turn.times(self.outer), turn.times(self.inner)]
    }

    /// A bound on the square of [`swing_rate`](crate::substeps::swing_rate) that needs no orientation, from the norms of K and of I⁻¹, for
    /// pulls at the outer and the inner joint.
    #[inline(always)]
    pub fn swing_bound(&self, pull: [Wide3<L>; 2], four: Simd4<L>) -> Simd4<L> {
        // |K| of one force is at most √2 |F||r|, and (x + y)² at most 2 (x² + y²).
        four * (self.give[0] * pull[0].dot(pull[0]) + self.give[1] * pull[1].dot(pull[1]))
    }

    /// What the links add to the diagonal blocks of their outer and inner joints, and the coupling of both (rows: outer).
    #[inline(always)]
    pub fn blocks(&self, levers: [Wide3<L>; 2], inverse: WideSym<L>, zero: Simd4<L>) -> Blocks<L> {
        let m = self.inverse_mass;
        let [a, b] = levers;
        let (ta, tb) = (responses(inverse, a), responses(inverse, b));
        let (p, q, r) = (a.cross(tb[0]), a.cross(tb[1]), a.cross(tb[2]));
        let between = [
            Wide3 { x: zero - (m + p.x), y: zero - p.y, z: zero - p.z },
            Wide3 { x: zero - q.x, y: zero - (m + q.y), z: zero - q.z },
            Wide3 { x: zero - r.x, y: zero - r.y, z: zero - (m + r.z) },
        ];
        Blocks { outer: own_block(m, a, ta), inner: own_block(m, b, tb), between }
    }

    /// Orientation after `h` seconds of links with angular momentum `momentum` in body axes, which they keep in the
    /// world: [`turned`], which does the fast ones.
    #[inline(always)]
    pub fn turned(&self, lanes: L, rotation: WideTurn<L>, momentum: Wide3<L>, h: f64) -> WideTurn<L> {
        let (one, half) = (Simd4::splat(lanes, 1.0), Simd4::splat(lanes, 0.5 * h));
        let wanted = momentum.times(half);
        let first = self.inverse.times(wanted);
        let largest = first.dot(first).store().into_iter().fold(0.0, f64::max);
        if 4.0 * largest > LARGEST_TURN * LARGEST_TURN {
            return self.turned_far(lanes, rotation, momentum, h);
        }
        // The next term of the series saves an iteration.
        let mut v = first - self.inverse.times(first.cross(self.inertia.times(first)));
        for _ in 0..NEWTON {
            let w = (one - v.dot(v)).sqrt();
            let u = self.inertia.times(v);
            let miss = u.times(w) + v.cross(u) - wanted;
            let pull = v.times(one / w);
            let [a, b, c] = self.inertia.columns();
            let x = a.times(w) - u.times(pull.x) + v.cross(a);
            let y = b.times(w) - u.times(pull.y) + v.cross(b);
            let z = c.times(w) - u.times(pull.z) + v.cross(c);
            // − u × e_k.
            let jacobian = WideMatrix([
                Wide3 { x: x.x, y: x.y - u.z, z: x.z + u.y },
                Wide3 { x: y.x + u.z, y: y.y, z: y.z - u.x },
                Wide3 { x: z.x - u.y, y: z.y + u.x, z: z.z },
            ]);
            let step = jacobian.solve(miss, one);
            v = v - step;
            // Convergence is quadratic: the step after one of this size would be below rounding.
            let left = (step.dot(step) - Simd4::splat(lanes, f64::EPSILON) * v.dot(v)).store();
            if left.into_iter().all(|left| left <= 0.0) {
                break;
            }
        }
        let w = (one - v.dot(v)).sqrt();
        rotation.after(v, w, one)
    }

    /// [`Make::turned`] link by link.
    #[inline(never)]
    fn turned_far(&self, lanes: L, rotation: WideTurn<L>, momentum: Wide3<L>, h: f64) -> WideTurn<L> {
        let spin = self.inverse.times(momentum).store();
        let inertia = self.inertia.columns().map(Wide3::store);
        let from = rotation.store();
        let mut to = from;
        for lane in 0..4 {
            let rotation = quaternion(&from, lane);
            let inertia = DMat3::from_cols_array(&std::array::from_fn(|k| inertia[k / 3][k % 3][lane]));
            let rotation = turned(rotation, rotation * vector(&spin, lane), inertia, h);
            (0..4).for_each(|k| to[k][lane] = rotation.to_array()[k]);
        }
        WideTurn::load(lanes, &to)
    }
}

/// Columns W (e_j × r).
#[inline(always)]
fn responses<L: Lanes>(w: WideSym<L>, r: Wide3<L>) -> [Wide3<L>; 3] {
    let [x, y, z] = w.columns();
    [z.times(r.y) - y.times(r.z), x.times(r.z) - z.times(r.x), y.times(r.x) - x.times(r.y)]
}

/// m + [r]× W [r]×ᵀ for responses of r.
#[inline(always)]
fn own_block<L: Lanes>(m: Simd4<L>, r: Wide3<L>, t: [Wide3<L>; 3]) -> WideSym<L> {
    let first = r.cross(t[0]);
    let (yy, yz) = (r.z * t[1].x - r.x * t[1].z, r.x * t[1].y - r.y * t[1].x);
    WideSym([m + first.x, first.y, first.z, m + yy, yz, m + (r.x * t[2].y - r.y * t[2].x)])
}

/// Iterations of Newton's method; two or three are used.
const NEWTON: u32 = 20;

/// What links add to the systems of their joints.
#[derive(Clone, Copy)]
pub struct Blocks<L: Lanes> {
    /// To the diagonal block of the outer joint.
    pub outer: WideSym<L>,
    /// To that of the inner joint.
    pub inner: WideSym<L>,
    /// Coupling of both, by columns.
    pub between: [Wide3<L>; 3],
}

/// Four links in memory, from outside inwards: 108 bytes each.
#[derive(Clone, Copy, Debug)]
pub struct Quad {
    /// Centres of mass \[m\].
    pub com: Vectors,
    /// Orientations.
    pub rotation: [F64x4; 4],
    /// Velocities \[m/s\].
    pub linear: Vectors,
    /// Angular momenta, world axes \[kg·m²/s\].
    pub spin: Vectors,
    /// Indices of the kinds.
    pub kind: [u32; 4],
}

impl Quad {
    /// Links of given kinds, nowhere yet.
    pub fn new(kind: [u32; 4]) -> Self {
        let [zero, nowhere, one] = [0.0, f64::NAN, 1.0].map(|x| [x; 4]);
        Self { com: [nowhere; 3], rotation: [zero, zero, zero, one], linear: [zero; 3], spin: [zero; 3], kind }
    }

    /// Orientation of a link.
    pub fn turn(&self, lane: usize) -> DQuat {
        quaternion(&self.rotation, lane)
    }
}

fn quaternion(of: &[F64x4; 4], lane: usize) -> DQuat {
    DQuat::from_xyzw(of[0][lane], of[1][lane], of[2][lane], of[3][lane])
}

/// Four bodies as the state has them.
pub struct Found<L: Lanes> {
    /// Orientations.
    pub rotation: WideTurn<L>,
    /// Rotation matrices.
    pub turn: WideMatrix<L>,
    /// Centres of mass \[m\].
    pub com: Wide3<L>,
}

impl<L: Lanes> Found<L> {
    /// Where four bodies are.
    #[inline(always)]
    pub fn new(lanes: L, make: &Make<L>, state: &State, body: [u32; 4]) -> Self {
        let pose = body.map(|body| &state.body_q[body as usize]);
        let [a, b, c, d] = pose.map(|pose| pose.rotation.to_array());
        let rotation = WideTurn::load(lanes, &[0, 1, 2, 3].map(|k| [a[k], b[k], c[k], d[k]]));
        let turn = rotation.matrix(Simd4::splat(lanes, 1.0));
        let origin = Wide3::gather(lanes, pose.map(|pose| pose.translation));
        Self { rotation, turn, com: origin + turn.times(make.com) }
    }
}
