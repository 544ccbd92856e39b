//! Accelerations of all links by the articulated-body algorithm: out to the leaves with orientations and spins, back with what hangs
//! beyond every link as it answers to a push, out again with accelerations. Axes are those of the world and every link is seen
//! from its own centre, so that nothing but places changes from one to the next.

use drystone_kernels::elementary::sin_cos;
use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Task, Wide3, WideMatrix, WideSym, WideTurn};

use super::layout::Frames;

/// Half turns from which sine and cosine are not worth a series \[rad\].
const SERIES: f64 = 0.8;

/// Where four links begin a step, and what acts along their freedoms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// Sine and cosine of half the turn.
    pub sine: F64x4,
    pub cosine: F64x4,
    /// Translation \[m\].
    pub offset: F64x4,
    /// \[m/s or rad/s\].
    pub rate: F64x4,
    /// Effort where the step begins \[N or N·m\], and how it falls with the way \[N/m or N·m/rad\] and the rate.
    pub push: F64x4,
    pub stiffness: F64x4,
    pub damping: F64x4,
    /// The same of drives with a largest effort, and that effort.
    pub capped: [F64x4; 3],
    pub cap: F64x4,
}

impl Start {
    /// Effort that falls with the way and the rate, as long as it is within bounds.
    #[inline(always)]
    fn pull<L: Lanes>(&self, lanes: L, way: Simd4<L>, rate: Simd4<L>) -> Simd4<L> {
        let load = |numbers: &F64x4| Simd4::load(lanes, numbers);
        let free = load(&self.push) - load(&self.stiffness) * way - load(&self.damping) * rate;
        if self.cap == [0.0; 4] {
            return free;
        }
        let [push, stiffness, damping] = &self.capped;
        let (cap, zero) = (load(&self.cap), Simd4::splat(lanes, 0.0));
        let wanted = load(push) - load(stiffness) * way - load(damping) * rate;
        free + wanted.min(cap).max(zero - cap)
    }
}

/// Ways since the step began and rates of four links.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    /// \[m or rad\].
    pub way: F64x4,
    /// \[m/s or rad/s\].
    pub rate: F64x4,
}

/// Orientation (4), its matrix (9) and angular velocity (3).
pub type Posed = [F64x4; 16];
/// Way from the parent's centre (3), motion per unit rate (3 + 3) and acceleration without one of its own (3 + 3).
pub type Moved = [F64x4; 15];
/// What hangs beyond: response to accelerations (6 + 9 + 6), force and torque without them (3 + 3).
pub type Beyond = [F64x4; 27];
/// Force and torque per unit acceleration (3 + 3), one over the inertia along the freedom, and the effort left for it.
pub type Gain = [F64x4; 8];
/// Linear and angular acceleration, or force and torque.
pub type Pair = [F64x4; 6];

/// What the sweeps write; those of roots come last.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub posed: Vec<Posed>,
    pub moved: Vec<Moved>,
    pub beyond: Vec<Beyond>,
    pub gain: Vec<Gain>,
    pub motion: Vec<Pair>,
    /// Accelerations along the freedoms \[m/s² or rad/s²\].
    pub along: Vec<F64x4>,
}

impl Work {
    /// Room for links and roots.
    pub fn new(quads: usize, roots: usize) -> Self {
        let all = quads + roots.div_ceil(4);
        let mut still = [[0.0; 4]; 16];
        [3, 4, 8, 12].into_iter().for_each(|k| still[k] = [1.0; 4]);
        Self {
            posed: vec![still; all],
            moved: vec![[[0.0; 4]; 15]; quads],
            beyond: vec![[[0.0; 4]; 27]; all],
            gain: vec![[[0.0; 4]; 8]; quads],
            motion: vec![[[0.0; 4]; 6]; all],
            along: vec![[0.0; 4]; quads],
        }
    }
}

/// Accelerations of all links where they are now.
pub struct Accelerate<'a> {
    pub frames: &'a [Frames],
    pub start: &'a [Start],
    pub now: &'a [Now],
    /// Forces and torques of the user on every link; empty if there are none.
    pub pushes: &'a [Pair],
    pub work: &'a mut Work,
}

impl Task for Accelerate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { frames, start, now, pushes, work } = self;
        for quad in 0..frames.len() {
            let push = pushes.get(quad);
            outward(lanes, quad, &frames[quad], &start[quad], &now[quad], push, work);
        }
        for quad in (0..frames.len()).rev() {
            inward(lanes, quad, &frames[quad], &start[quad], &now[quad], work);
        }
        for quad in 0..frames.len() {
            answer(lanes, quad, &frames[quad], work);
        }
    }
}

/// The numbers of four links, wherever they are.
#[inline(always)]
pub fn pick<const N: usize>(of: &[[F64x4; N]], at: [u32; 4]) -> [F64x4; N] {
    let from = [0, 1, 2, 3].map(|lane| (&of[at[lane] as usize / 4], at[lane] as usize % 4));
    let mut out = [[0.0; 4]; N];
    for k in 0..N {
        out[k] = [from[0].0[k][from[0].1], from[1].0[k][from[1].1], from[2].0[k][from[2].1], from[3].0[k][from[3].1]];
    }
    out
}

/// Adds the numbers of four links to those of what they hang from.
#[inline(always)]
pub fn add_to<const N: usize>(of: &mut [[F64x4; N]], at: [u32; 4], by: &[F64x4; N]) {
    for lane in 0..4 {
        let (to, place) = (&mut of[at[lane] as usize / 4], at[lane] as usize % 4);
        for k in 0..N {
            to[k][place] += by[k][lane];
        }
    }
}

/// A vector in every lane from places in a row.
#[inline(always)]
pub fn three<L: Lanes, const N: usize>(lanes: L, of: &[F64x4; N], first: usize) -> Wide3<L> {
    Wide3 {
        x: Simd4::load(lanes, &of[first]),
        y: Simd4::load(lanes, &of[first + 1]),
        z: Simd4::load(lanes, &of[first + 2]),
    }
}

#[inline(always)]
pub fn put<L: Lanes, const N: usize>(of: &mut [F64x4; N], first: usize, v: Wide3<L>) {
    (of[first], of[first + 1], of[first + 2]) = (v.x.store(), v.y.store(), v.z.store());
}

#[inline(always)]
pub fn matrix_at<L: Lanes, const N: usize>(lanes: L, of: &[F64x4; N], first: usize) -> WideMatrix<L> {
    WideMatrix([three(lanes, of, first), three(lanes, of, first + 3), three(lanes, of, first + 6)])
}

#[inline(always)]
pub fn symmetric_at<L: Lanes, const N: usize>(lanes: L, of: &[F64x4; N], first: usize) -> WideSym<L> {
    let [a, b] = [three(lanes, of, first), three(lanes, of, first + 3)];
    WideSym([a.x, a.y, a.z, b.x, b.y, b.z])
}

/// Sine and cosine.
#[inline(always)]
fn half_turn<L: Lanes>(lanes: L, x: Simd4<L>) -> [Simd4<L>; 2] {
    let own = x.store();
    let large = own[0].abs().max(own[1].abs()).max(own[2].abs().max(own[3].abs()));
    if large.is_nan() || large > SERIES {
        let [a, b, c, d] = [sin_cos(own[0]), sin_cos(own[1]), sin_cos(own[2]), sin_cos(own[3])];
        let (sine, cosine) = ([a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]);
        return [Simd4::load(lanes, &sine), Simd4::load(lanes, &cosine)];
    }
    let square = x * x;
    let mut sine = Simd4::splat(lanes, -1.0 / 1_307_674_368_000.0);
    for over in
        [1.0 / 6_227_020_800.0, -1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0]
    {
        sine = sine * square + Simd4::splat(lanes, over);
    }
    let mut cosine = Simd4::splat(lanes, 1.0 / 20_922_789_888_000.0);
    for over in [
        -1.0 / 87_178_291_200.0,
        1.0 / 479_001_600.0,
        -1.0 / 3_628_800.0,
        1.0 / 40_320.0,
        -1.0 / 720.0,
        1.0 / 24.0,
        -0.5,
        1.0,
    ] {
        cosine = cosine * square + Simd4::splat(lanes, over);
    }
    [sine * x, cosine]
}

/// Four links with their parents.
pub struct Placed<L: Lanes> {
    pub turn: WideTurn<L>,
    pub matrix: WideMatrix<L>,
    pub spin: Wide3<L>,
    /// Spin of the parent.
    pub carried: Wide3<L>,
    /// Axis, world frame.
    pub axis: Wide3<L>,
    /// From the parent's centre to the joint, and from there to the own one, world axes.
    pub before: Wide3<L>,
    pub after: Wide3<L>,
    /// Relative angular and linear velocity.
    pub turning: Wide3<L>,
    pub sliding: Wide3<L>,
}

impl<L: Lanes> Placed<L> {
    /// Four links after ways and at rates, on parents that are placed.
    #[inline(always)]
    pub fn new(lanes: L, frames: &Frames, start: &Start, now: &Now, posed: &[Posed]) -> Self {
        let [one, half] = [1.0, 0.5].map(|x| Simd4::splat(lanes, x));
        let (turns, slides) = (Simd4::load(lanes, &frames.turns), Simd4::load(lanes, &frames.slides));
        let (way, rate) = (Simd4::load(lanes, &now.way), Simd4::load(lanes, &now.rate));
        let parent = pick(posed, frames.parent);
        let up = matrix_at(lanes, &parent, 4);
        let carried = three(lanes, &parent, 13);
        let [sine, cosine] = half_turn(lanes, way * turns * half);
        let (s, c) = (Simd4::load(lanes, &start.sine), Simd4::load(lanes, &start.cosine));
        let (sine, cosine) = (s * cosine + c * sine, c * cosine - s * sine);
        let (a, b) = (WideTurn::load(lanes, &frames.along).0, WideTurn::load(lanes, &frames.turned).0);
        let inner =
            Wide3 { x: a[0] * cosine + b[0] * sine, y: a[1] * cosine + b[1] * sine, z: a[2] * cosine + b[2] * sine };
        let [x, y, z, w] = [0, 1, 2, 3].map(|k| parent[k]);
        let turn = WideTurn::load(lanes, &[x, y, z, w]).after(inner, a[3] * cosine + b[3] * sine, one);
        let matrix = turn.matrix(one);
        let axis = up.times(Wide3::load(lanes, &frames.axis));
        let offset = (Simd4::load(lanes, &start.offset) + way) * slides;
        let before = up.times(Wide3::load(lanes, &frames.before)) + axis.times(offset);
        let after = matrix.times(Wide3::load(lanes, &frames.after));
        let turning = axis.times(rate * turns);
        let sliding = axis.times(rate * slides);
        Self { turn, matrix, spin: carried + turning, carried, axis, before, after, turning, sliding }
    }

    #[inline(always)]
    pub fn store(&self, posed: &mut Posed) {
        let [x, y, z, w] = self.turn.store();
        (posed[0], posed[1], posed[2], posed[3]) = (x, y, z, w);
        let [a, b, c] = self.matrix.0;
        put(posed, 4, a);
        put(posed, 7, b);
        put(posed, 10, c);
        put(posed, 13, self.spin);
    }
}

/// Orientations, spins, and every link as a body of its own.
#[inline(always)]
fn outward<L: Lanes>(
    lanes: L,
    quad: usize,
    frames: &Frames,
    start: &Start,
    now: &Now,
    push: Option<&Pair>,
    work: &mut Work,
) {
    let zero = Simd4::splat(lanes, 0.0);
    let placed = Placed::new(lanes, frames, start, now, &work.posed);
    placed.store(&mut work.posed[quad]);
    let Placed { spin, carried, axis, before, after, turning, sliding, .. } = placed;
    let (turns, slides) = (Simd4::load(lanes, &frames.turns), Simd4::load(lanes, &frames.slides));
    let swept = carried.cross(turning);
    let moved = &mut work.moved[quad];
    put(moved, 0, before + after);
    put(moved, 3, axis.cross(after).times(turns) + axis.times(slides));
    put(moved, 6, axis.times(turns));
    let twice = carried.cross(sliding);
    let pulled = carried.cross(carried.cross(before)) + twice + twice;
    put(moved, 9, pulled + swept.cross(after) + spin.cross(spin.cross(after)));
    put(moved, 12, swept);
    let inertia = placed.matrix.around(symmetric_at(lanes, &frames.inertia, 0));
    let mut force = Wide3 { x: zero, y: zero, z: zero } - Wide3::load(lanes, &frames.weight);
    let mut torque = spin.cross(inertia.times(spin));
    if let Some(push) = push {
        force = force - three(lanes, push, 0);
        torque = torque - three(lanes, push, 3);
    }
    let beyond = &mut work.beyond[quad];
    let (mass, none) = (frames.mass, [0.0; 4]);
    (beyond[0], beyond[1], beyond[2], beyond[3], beyond[4], beyond[5]) = (mass, none, none, mass, none, mass);
    (6..15).for_each(|k| beyond[k] = none);
    let own = inertia.store();
    (0..6).for_each(|k| beyond[15 + k] = own[k]);
    put(beyond, 21, force);
    put(beyond, 24, torque);
}

/// What of four links their parents feel: all but what gives way along their freedoms.
#[inline(always)]
fn inward<L: Lanes>(lanes: L, quad: usize, frames: &Frames, start: &Start, now: &Now, work: &mut Work) {
    let [zero, one] = [0.0, 1.0].map(|x| Simd4::splat(lanes, x));
    let (moved, beyond) = (&work.moved[quad], &work.beyond[quad]);
    let (arm, s_l, s_a) = (three(lanes, moved, 0), three(lanes, moved, 3), three(lanes, moved, 6));
    let (c_l, c_a) = (three(lanes, moved, 9), three(lanes, moved, 12));
    let (mass, cross, inertia) =
        (symmetric_at(lanes, beyond, 0), matrix_at(lanes, beyond, 6), symmetric_at(lanes, beyond, 15));
    let (force, torque) = (three(lanes, beyond, 21), three(lanes, beyond, 24));
    let u_l = mass.times(s_l) + cross.times(s_a);
    let u_a = cross.transposed_times(s_l) + inertia.times(s_a);
    let along = s_l.dot(u_l) + s_a.dot(u_a) + Simd4::load(lanes, &frames.rotor);
    let inverse = along.where_positive(one / along, zero);
    let (way, rate) = (Simd4::load(lanes, &now.way), Simd4::load(lanes, &now.rate));
    let effort = start.pull(lanes, way, rate);
    let left = effort - s_l.dot(force) - s_a.dot(torque);
    let gain = &mut work.gain[quad];
    put(gain, 0, u_l);
    put(gain, 3, u_a);
    (gain[6], gain[7]) = (inverse.store(), left.store());
    let answer = (left - u_l.dot(c_l) - u_a.dot(c_a)) * inverse;
    let force = force + mass.times(c_l) + cross.times(c_a) + u_l.times(answer);
    let torque = torque + cross.transposed_times(c_l) + inertia.times(c_a) + u_a.times(answer);
    let passed = beyond_parent(arm, Held { mass, cross, inertia }.without(u_l, u_a, inverse));
    let mut out = [[0.0; 4]; 27];
    let (m, j) = (passed.mass.store(), passed.inertia.store());
    (0..6).for_each(|k| (out[k], out[15 + k]) = (m[k], j[k]));
    let [a, b, c] = passed.cross.0;
    put(&mut out, 6, a);
    put(&mut out, 9, b);
    put(&mut out, 12, c);
    put(&mut out, 21, force);
    put(&mut out, 24, torque + arm.cross(force));
    add_to(&mut work.beyond, frames.parent, &out);
}

/// Force by `mass` and `cross` and torque by the transpose of `cross` and `inertia` for accelerations.
struct Held<L: Lanes> {
    mass: WideSym<L>,
    cross: WideMatrix<L>,
    inertia: WideSym<L>,
}

impl<L: Lanes> Held<L> {
    /// What is left where one freedom gives way.
    #[inline(always)]
    fn without(self, u_l: Wide3<L>, u_a: Wide3<L>, inverse: Simd4<L>) -> Self {
        let (l, a) = (u_l.times(inverse), u_a.times(inverse));
        let [p, q, r] = self.cross.0;
        Self {
            mass: less(self.mass, u_l, l),
            cross: WideMatrix([p - u_l.times(a.x), q - u_l.times(a.y), r - u_l.times(a.z)]),
            inertia: less(self.inertia, u_a, a),
        }
    }
}

/// S − u vᵀ for u parallel to v.
#[inline(always)]
fn less<L: Lanes>(s: WideSym<L>, u: Wide3<L>, v: Wide3<L>) -> WideSym<L> {
    let [xx, xy, xz, yy, yz, zz] = s.0;
    WideSym([xx - u.x * v.x, xy - u.x * v.y, xz - u.x * v.z, yy - u.y * v.y, yz - u.y * v.z, zz - u.z * v.z])
}

/// The same seen from a point `arm` behind: H' = H − M [d], J' = J − Hᵀ [d] + [d] H' with [d] x = d × x.
#[inline(always)]
fn beyond_parent<L: Lanes>(d: Wide3<L>, of: Held<L>) -> Held<L> {
    let [p, q, r] = of.cross.0;
    let [a, b, c] = of.mass.columns();
    // Columns of A [d] are d.z a₁ − d.y a₂, d.x a₂ − d.z a₀, d.y a₀ − d.x a₁.
    let p2 = p - (b.times(d.z) - c.times(d.y));
    let q2 = q - (c.times(d.x) - a.times(d.z));
    let r2 = r - (a.times(d.y) - b.times(d.x));
    let (up, uq, ur) = (d.cross(p2), d.cross(q2), d.cross(r2));
    // Entry (i, j) of Hᵀ [d] is column i of H times column j of [d].
    let [xx, xy, xz, yy, yz, zz] = of.inertia.0;
    let inertia = WideSym([
        xx - (p.y * d.z - p.z * d.y) + up.x,
        xy - (p.z * d.x - p.x * d.z) + uq.x,
        xz - (p.x * d.y - p.y * d.x) + ur.x,
        yy - (q.z * d.x - q.x * d.z) + uq.y,
        yz - (q.x * d.y - q.y * d.x) + ur.y,
        zz - (r.x * d.y - r.y * d.x) + ur.z,
    ]);
    Held { mass: of.mass, cross: WideMatrix([p2, q2, r2]), inertia }
}

/// Accelerations of four links from those of their parents.
#[inline(always)]
fn answer<L: Lanes>(lanes: L, quad: usize, frames: &Frames, work: &mut Work) {
    let parent = pick(&work.motion, frames.parent);
    let (moved, gain) = (&work.moved[quad], &work.gain[quad]);
    let turn = three(lanes, &parent, 3);
    let linear = three(lanes, &parent, 0) + turn.cross(three(lanes, moved, 0)) + three(lanes, moved, 9);
    let angular = turn + three(lanes, moved, 12);
    let (inverse, left) = (Simd4::load(lanes, &gain[6]), Simd4::load(lanes, &gain[7]));
    let along = (left - three(lanes, gain, 0).dot(linear) - three(lanes, gain, 3).dot(angular)) * inverse;
    work.along[quad] = along.store();
    let motion = &mut work.motion[quad];
    put(motion, 0, linear + three(lanes, moved, 3).times(along));
    put(motion, 3, angular + three(lanes, moved, 6).times(along));
}
