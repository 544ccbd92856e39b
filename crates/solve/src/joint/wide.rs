//! The rotations among the coordinates of joints, and their derivatives, for four joints of one kind side by side.
//!
//! Near where joints work there is a form without branches, by square roots and series; lanes that are elsewhere are told, to be
//! done one by one. Which they are depends on the lane alone, and so does its result.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Vectors, Wide3, WideTurn};
use drystone_model::kinematics::Chart;

use super::axes::{JointGeometry, cardan_axes};

/// How the rotations of a joint are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnKind {
    chart: Chart,
    /// The locked rotation where the two others are free.
    cardan: Option<usize>,
    /// Whether a bound of the turn stands in place of a rotation: such joints are done one by one.
    cone: bool,
}

impl TurnKind {
    /// That of a joint.
    pub fn of(geometry: &JointGeometry) -> Self {
        Self { chart: geometry.chart, cardan: geometry.cardan, cone: geometry.cone.is_some() }
    }
}

/// The rotations of four joints.
#[derive(Clone, Copy)]
pub struct WideTurns<L: Lanes> {
    /// Values \[rad\].
    pub value: [Simd4<L>; 3],
    /// Angles of the chart \[rad\].
    pub angles: [Simd4<L>; 3],
    /// Change of each per small turn of the child, and against that of the parent, world frame.
    pub row: [Wide3<L>; 3],
    /// Above zero where the numbers mean nothing.
    pub beyond: Simd4<L>,
}

/// Sine of the middle angle's complement up to which a joint of three turns counts as regular here.
const REGULAR: f64 = 1.0e-3;
/// Squared rotation vector up to which the second weight of the inverse Jacobian is a series \[rad²\].
const NEAR: f64 = 1.0;
/// Slopes up to which angles are told apart from a right angle.
const STEEP: f64 = 1.0e150;

/// Of atan(t)/t by powers of t², to rounding up to a sixteenth of a turn of π.
const ARC_TANGENT: [f64; 12] = [
    1.0,
    -1.0 / 3.0,
    1.0 / 5.0,
    -1.0 / 7.0,
    1.0 / 9.0,
    -1.0 / 11.0,
    1.0 / 13.0,
    -1.0 / 15.0,
    1.0 / 17.0,
    -1.0 / 19.0,
    1.0 / 21.0,
    -1.0 / 23.0,
];
/// Of (1 − ½ a cot ½ a)/a² by powers of a², to rounding up to [`NEAR`].
const SECOND: [f64; 10] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    3_617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    174_611.0 / 802_857_662_698_291_200_000.0,
];

/// A polynomial.
#[inline(always)]
fn series<L: Lanes, const N: usize>(of: &[f64; N], x: Simd4<L>) -> Simd4<L> {
    let mut sum = x.like(of[N - 1]);
    let mut next = N - 1;
    while next > 0 {
        next -= 1;
        sum = sum * x + x.like(of[next]);
    }
    sum
}

#[inline(always)]
fn absolute<L: Lanes>(x: Simd4<L>) -> Simd4<L> {
    x.max(x.like(0.0) - x)
}

/// The angle whose sine and cosine are `s` and `c` times `r` \[rad\], which is positive.
#[inline(always)]
fn angle<L: Lanes>(s: Simd4<L>, c: Simd4<L>, r: Simd4<L>) -> Simd4<L> {
    let one = s.like(1.0);
    // The tangent of half of it, in the form that does not cancel.
    let steep = s.like(STEEP);
    let far = ((r - c) / s).min(steep).max(s.like(-STEEP));
    let mut t = c.where_positive(s / (r + c), far);
    for _ in 0..3 {
        t = t / (one + (one + t * t).sqrt());
    }
    series(&ARC_TANGENT, t * t) * t * s.like(16.0)
}

/// Rates of the rotation vector `v` as rows: how each coordinate changes per small turn about the axes of the parent frame.
#[inline(always)]
fn vector_rows<L: Lanes>(v: Wide3<L>) -> ([Wide3<L>; 3], Simd4<L>) {
    let square = v.dot(v);
    let (second, half) = (series(&SECOND, square), square.like(0.5));
    let one = square.like(1.0);
    // ω − ½ v × ω + s v × (v × ω) with v × (v × ω) = v (v · ω) − v² ω.
    let own = one - second * square;
    let scaled = v.times(second);
    let (x, y, z) = (v.x * half, v.y * half, v.z * half);
    let rows = [
        Wide3 { x: own + scaled.x * v.x, y: scaled.x * v.y + z, z: scaled.x * v.z - y },
        Wide3 { x: scaled.y * v.x - z, y: own + scaled.y * v.y, z: scaled.y * v.z + x },
        Wide3 { x: scaled.z * v.x + y, y: scaled.z * v.y - x, z: own + scaled.z * v.z },
    ];
    (rows, square - square.like(NEAR))
}

impl<L: Lanes> WideTurns<L> {
    /// The rotations between joint frames with these orientations, with angles next to those of `hint`.
    #[inline(always)]
    pub fn between(lanes: L, kind: TurnKind, parent: WideTurn<L>, child: WideTurn<L>, hint: &Vectors) -> Self {
        let relative = parent.inverse().mul(child);
        let hint = Wide3::load(lanes, hint);
        let mut turns = match kind.chart {
            Chart::Vector => Self::vector(lanes, relative, hint),
            Chart::Twist(axis) => Self::twist(lanes, relative, axis, hint),
            Chart::Euler => Self::euler(relative, hint),
        };
        let axes = parent.columns();
        let mut k = 0;
        while k < 3 {
            turns.row[k] = axes.times(turns.row[k]);
            k += 1;
        }
        if let Some(locked) = kind.cardan {
            let (in_parent, in_child, sign) = cardan_axes(locked);
            let a = axes.times(Wide3::splat(lanes, in_parent.to_array()));
            let b = child.rotate(Wide3::splat(lanes, in_child.to_array()));
            let sign = Simd4::splat(lanes, sign);
            (turns.value[locked], turns.row[locked]) = (sign * a.dot(b), b.cross(a).times(sign));
        }
        if kind.cone {
            turns.beyond = Simd4::splat(lanes, 1.0);
        }
        turns
    }

    #[inline(always)]
    fn vector(lanes: L, relative: WideTurn<L>, hint: Wide3<L>) -> Self {
        let v = relative.log(lanes);
        let (row, beyond) = vector_rows(v);
        // No full turn is to be added where both are less than half a turn together.
        let lengths = v.dot(v).sqrt() + hint.dot(hint).sqrt();
        let value = [v.x, v.y, v.z];
        Self { value, angles: value, row, beyond: beyond.max(lengths - lengths.like(PI)) }
    }

    #[inline(always)]
    fn twist(lanes: L, relative: WideTurn<L>, axis: usize, hint: Wide3<L>) -> Self {
        let q = relative.0;
        let (zero, two) = (q[3].like(0.0), q[3].like(2.0));
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let square = q[axis] * q[axis] + q[3] * q[3];
        let real = square.sqrt();
        // Either sign is the same turn: the one with the smaller angle.
        let sign = q[3].where_positive(q[3].like(1.0), q[3].like(-1.0));
        let turn = two * angle(q[axis] * sign, q[3] * sign, real);
        // What is left without the turn about the axis: nothing along it.
        let (s, c) = (q[axis] / real, q[3] / real);
        let mut swing = [zero, zero, zero, real];
        swing[next] = q[next] * c - q[last] * s;
        swing[last] = q[last] * c + q[next] * s;
        let swing = WideTurn(swing);
        let v = swing.log(lanes);
        let mut unit = [0.0; 3];
        unit[axis] = 1.0;
        let unit = Wide3::splat(lanes, unit);
        let along = swing.rotate(unit);
        let (rates, beyond) = vector_rows(v);
        // Change of the turn per small turn about the axes of the parent frame.
        let mut own = [zero; 3];
        own[axis] = square;
        own[next] = q[next] * q[axis] + q[last] * q[3];
        own[last] = q[last] * q[axis] - q[next] * q[3];
        let own = Wide3 { x: own[0], y: own[1], z: own[2] }.times(q[3].like(1.0) / square);
        let mut row = [own; 3];
        let mut value = [turn; 3];
        let left = [v.x, v.y, v.z];
        let mut k = 0;
        while k < 3 {
            if k != axis {
                value[k] = left[k];
                row[k] = rates[k] - own.times(rates[k].dot(along));
            }
            k += 1;
        }
        let hinted = [hint.x, hint.y, hint.z][axis];
        let far = absolute(turn - hinted) - turn.like(PI);
        let narrow = turn.like(REGULAR) - square;
        Self { value, angles: value, row, beyond: beyond.max(far).max(narrow) }
    }

    #[inline(always)]
    fn euler(relative: WideTurn<L>, hint: Wide3<L>) -> Self {
        let [mx, my, mz] = relative.columns().0;
        let (zero, one) = (mx.x.like(0.0), mx.x.like(1.0));
        let square = mz.y * mz.y + mz.z * mz.z;
        let cosine = square.sqrt();
        let inverse = one / cosine;
        let (sin_a, cos_a) = ((zero - mz.y) * inverse, mz.z * inverse);
        let first = angle(sin_a, cos_a, one);
        let second = angle(mz.x, cosine, (square + mz.x * mz.x).sqrt());
        let (s, c) = (cos_a * mx.y + sin_a * mx.z, cos_a * my.y + sin_a * my.z);
        let third = angle(s, c, (s * s + c * c).sqrt());
        let (ratio_s, ratio_c) = (sin_a * inverse, cos_a * inverse);
        let row = [
            Wide3 { x: one, y: mz.x * ratio_s, z: zero - mz.x * ratio_c },
            Wide3 { x: zero, y: cos_a, z: sin_a },
            Wide3 { x: zero, y: zero - ratio_s, z: ratio_c },
        ];
        // The other triple, and any full turn, is further from the hint than a right angle.
        let off = absolute(first - hint.x).max(absolute(second - hint.y)).max(absolute(third - hint.z));
        let beyond = (off - off.like(FRAC_PI_2)).max(off.like(REGULAR) - cosine);
        let value = [first, second, third];
        Self { value, angles: value, row, beyond }
    }

    /// Which lanes mean nothing.
    #[inline(always)]
    pub fn beyond(&self) -> Option<F64x4> {
        // What is no number is not below any.
        let inside = self.beyond.like(0.0) - self.beyond;
        let good = inside.where_positive(inside.like(0.0), inside.like(1.0));
        good.any_positive().then(|| good.store())
    }
}

#[cfg(test)]
mod tests {
    use drystone_kernels::lanes::{Plain, Task, run};
    use drystone_model::{Axis, BodyDef, DQuat, DVec3, JointDef, ModelBuilder};
    use drystone_random::Random;

    use super::*;

    struct Both {
        kind: TurnKind,
        parent: [F64x4; 4],
        child: [F64x4; 4],
        hint: Vectors,
    }

    impl Task for &Both {
        type Output = (Vectors, [Vectors; 3], Option<F64x4>);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let (parent, child) = (WideTurn::load(lanes, &self.parent), WideTurn::load(lanes, &self.child));
            let turns = WideTurns::between(lanes, self.kind, parent, child, &self.hint);
            let value = [turns.value[0].store(), turns.value[1].store(), turns.value[2].store()];
            let row = [turns.row[0].store(), turns.row[1].store(), turns.row[2].store()];
            (value, row, turns.beyond())
        }
    }

    fn geometries() -> Vec<JointGeometry> {
        let mut scene = ModelBuilder::new();
        let a = scene.add_body(BodyDef::dynamic("a").sphere(0.1));
        let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X).sphere(0.1));
        scene.add_joint(JointDef::fixed(a, b, DVec3::ZERO));
        for free in [vec![Axis::AngX], vec![Axis::AngY], vec![Axis::AngZ], vec![Axis::AngX, Axis::AngY, Axis::AngZ]] {
            scene.add_joint(JointDef::d6(a, b, DVec3::ZERO, DQuat::IDENTITY, &free));
        }
        for free in [[Axis::AngX, Axis::AngY], [Axis::AngX, Axis::AngZ], [Axis::AngY, Axis::AngZ]] {
            scene.add_joint(JointDef::d6(a, b, DVec3::ZERO, DQuat::IDENTITY, &free));
        }
        let model = scene.finalize().unwrap();
        (0..model.joint_count()).map(|joint| JointGeometry::new(&model, joint, 2, true)).collect()
    }

    /// Small and large turns of all charts, with hints near and far: what is not told as beyond agrees with one number at a time,
    /// no lane looks at another, and turns of the size that joints have are seldom beyond.
    #[test]
    fn turns_side_by_side_are_those_of_one_joint() {
        let mut random = Random::new(7);
        let way = |random: &mut Random, size: f64| {
            let v = DVec3::new(random.signed(), random.signed(), random.signed());
            v.normalize() * size
        };
        for geometry in geometries() {
            let kind = TurnKind::of(&geometry);
            let (mut common, mut missed) = (0, 0);
            for trial in 0..400 {
                let mut both = Both { kind, parent: [[0.0; 4]; 4], child: [[0.0; 4]; 4], hint: [[0.0; 4]; 3] };
                let mut turned = [(DQuat::IDENTITY, DQuat::IDENTITY, DVec3::ZERO); 4];
                let size = [0.0, 1e-9, 1e-4, 0.1, 0.7, 1.4, 2.9, 3.1][trial % 8];
                for (lane, turned) in turned.iter_mut().enumerate() {
                    let parent = DQuat::from_scaled_axis(way(&mut random, 2.0));
                    // Nearly along the free axis of a hinge, as in joints that hold.
                    let relative = match (kind.chart, trial % 3) {
                        (Chart::Twist(axis), 0 | 1) => {
                            DQuat::from_scaled_axis(way(&mut random, 1e-5))
                                * DQuat::from_scaled_axis(DVec3::AXES[axis] * size)
                        }
                        _ => DQuat::from_scaled_axis(way(&mut random, size)),
                    };
                    let child = parent * relative * if random.signed() > 0.0 { 1.0 } else { -1.0 };
                    let here = geometry.chart.angles(relative, DVec3::ZERO);
                    let hint = here + way(&mut random, [0.1, 0.1, 4.0][trial % 3]);
                    *turned = (parent, child, hint);
                    for k in 0..4 {
                        both.parent[k][lane] = parent.to_array()[k];
                        both.child[k][lane] = child.to_array()[k];
                    }
                    (0..3).for_each(|k| both.hint[k][lane] = hint.to_array()[k]);
                }
                let (value, row, beyond) = run(&both);
                assert_eq!((value, row, beyond).0, (&both).run(Plain).0);
                for (lane, &(parent, child, hint)) in turned.iter().enumerate() {
                    let usual = trial % 3 < 2 && size < 0.9;
                    common += usize::from(usual);
                    if beyond.is_some_and(|beyond| beyond[lane] > 0.0) {
                        missed += usize::from(usual);
                        continue;
                    }
                    let want = geometry.turns_anywhere(parent, child, hint);
                    for k in 0..3 {
                        let off = (value[k][lane] - want.value[k]).abs();
                        assert!(off < 1e-14, "{kind:?} trial {trial}: value {k} is off by {off:e}");
                        let own = DVec3::new(row[k][0][lane], row[k][1][lane], row[k][2][lane]);
                        let off = (own - want.row[k]).length() / (1.0 + want.row[k].length());
                        assert!(off < 1e-12, "{kind:?} trial {trial}: row {k} is off by {off:e}");
                    }
                    let alone = Both {
                        kind,
                        parent: both.parent.map(|x| [x[lane]; 4]),
                        child: both.child.map(|x| [x[lane]; 4]),
                        hint: both.hint.map(|x| [x[lane]; 4]),
                    };
                    let (alone_value, alone_row, _) = run(&alone);
                    for k in 0..3 {
                        assert_eq!(alone_value[k][1], value[k][lane]);
                        assert!((0..3).all(|m| alone_row[k][m][2] == row[k][m][lane]));
                    }
                }
            }
            assert!(missed * 20 <= common, "{kind:?}: {missed} of {common} common turns are beyond");
        }
    }
}
