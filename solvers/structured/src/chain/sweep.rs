//! The sweeps over half a chain.

use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Task, Vectors, Wide3, WideTurn};
use drystone_model::{DMat3, DQuat, DVec3, Pose, State, Twist};

use super::half::{Bodies, Half, Inward, Kick, Middle, Motion, Outward};
use super::link::{Found, Kind, Make};
use crate::linalg::twisted::{Row, Symmetric, Taken, reduce, substitute};
use crate::substeps::larger;
use crate::wide::{set_vector, vector};

const NOTHING: Vectors = [[0.0; 4]; 3];

/// [`Half::start`].
pub struct Start<'a> {
    pub half: &'a mut Half,
    pub kinds: &'a [Kind],
    pub state: &'a State,
    pub kick: Kick<'a>,
    pub ahead: f64,
}

impl Task for Start<'_> {
    type Output = Inward;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Inward {
        let Self { half, kinds, state, kick, ahead } = self;
        let ahead = Simd4::splat(lanes, ahead);
        let mut make = Make::new(lanes, kinds, half.quad[0].kind, half.outer);
        let (mut speed, mut taken) = (DVec3::ZERO, DVec3::ZERO);
        for quad in 0..half.quad.len() {
            let (body, valid) = (half.bodies(quad), half.valid(quad));
            make.turn_to(lanes, kinds, half.quad[quad].kind, half.outer);
            let turn = Found::new(lanes, &make, state, body).turn;
            let gained = kick.gain(lanes, &make, body);
            let twist = body.map(|body| &state.body_qd[body as usize]);
            let linear = Wide3::gather(lanes, twist.map(|twist| twist.linear)) + gained[0];
            let mut angular = Wide3::gather(lanes, twist.map(|twist| twist.angular));
            if kick.control.is_some() {
                angular = angular + turn.times(make.inverse.times(turn.transposed_times(gained[1])));
            }
            let [outer, inner] = make.levers(turn);
            let (turning, inner) = (angular.cross(outer), angular.cross(inner));
            let outer = linear + turning + angular.cross(turning).times(ahead);
            let inner = linear + inner + angular.cross(inner).times(ahead);
            let ends = [outer.store(), inner.store()];
            let first = 4 * quad;
            let joints = half.gain[first..first + valid].iter().zip(&mut half.x[first..first + valid]);
            for (lane, (gain, x)) in joints.enumerate() {
                let free = first + lane == 0 && half.anchor.is_none();
                *x = if free { DVec3::ZERO } else { vector(&ends[0], lane) - speed - taken };
                speed = vector(&ends[1], lane);
                taken = reduce(gain, *x);
            }
        }
        Inward { taken: Taken { rhs: taken, ..Taken::default() }, speed: Some(speed), block: None }
    }
}

/// [`Half::factor`].
pub struct Factor<'a> {
    pub half: &'a mut Half,
    pub kinds: &'a [Kind],
    pub kick: Option<Kick<'a>>,
}

impl Task for Factor<'_> {
    type Output = Inward;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Inward {
        let Self { half, kinds, kick } = self;
        let [zero, one] = [0.0, 1.0].map(|x| Simd4::splat(lanes, x));
        let mut make = Make::new(lanes, kinds, half.quad[0].kind, half.outer);
        let (mut speed, mut block, mut taken) = (DVec3::ZERO, Symmetric::default(), Taken::default());
        for quad in 0..half.quad.len() {
            let (body, valid) = (half.bodies(quad), half.valid(quad));
            let links = &half.quad[quad];
            make.turn_to(lanes, kinds, links.kind, half.outer);
            let turn = WideTurn::load(lanes, &links.rotation).matrix(one);
            let inverse = turn.around(make.inverse);
            let levers = make.levers(turn);
            let mut ends = [NOTHING; 2];
            if let Some(kick) = kick {
                let gained = kick.gain(lanes, &make, body);
                let linear = Wide3::load(lanes, &links.linear) + gained[0];
                let angular = inverse.times(Wide3::load(lanes, &links.spin) + gained[1]);
                let [outer, inner] = levers;
                ends = [(linear + angular.cross(outer)).store(), (linear + angular.cross(inner)).store()];
            }
            let blocks = make.blocks(levers, inverse, zero);
            let own = [blocks.outer.store(), blocks.inner.store()];
            let [p, q, r] = blocks.between;
            let between = [p.store(), q.store(), r.store()];
            let first = 4 * quad;
            let x = half.x[first..first + valid].iter_mut();
            let rows = half.inverse[first..first + valid].iter_mut().zip(&mut half.gain[first..first + valid]);
            for (lane, (x, (inverse, gain))) in x.zip(rows).enumerate() {
                let free = first + lane == 0 && half.anchor.is_none();
                if free {
                    (*x, *inverse, *gain, taken) = (DVec3::ZERO, Symmetric::default(), DMat3::ZERO, Taken::default());
                } else {
                    *x = vector(&ends[0], lane) - speed;
                    let coupling = DMat3::from_cols(
                        vector(&between[0], lane),
                        vector(&between[1], lane),
                        vector(&between[2], lane),
                    );
                    let diagonal = block.plus(1.0, &lane_of(&own[0], lane));
                    let row;
                    (row, taken) = Row::eliminate(&diagonal, &coupling, x, &taken);
                    (*inverse, *gain) = (row.inverse, row.gain);
                }
                speed = vector(&ends[1], lane);
                block = lane_of(&own[1], lane);
            }
        }
        Inward { taken, speed: Some(speed), block: Some(block) }
    }
}

#[inline(always)]
fn lane_of(of: &[F64x4; 6], lane: usize) -> Symmetric {
    Symmetric([of[0][lane], of[1][lane], of[2][lane], of[3][lane], of[4][lane], of[5][lane]])
}

/// Impulses at the joints of four links.
struct Pulls {
    outer: Vectors,
    inner: Vectors,
}

impl Pulls {
    const NONE: Self = Self { outer: NOTHING, inner: NOTHING };

    #[inline(always)]
    fn set(&mut self, lane: usize, outer: DVec3, inner: DVec3) {
        set_vector(&mut self.outer, lane, outer);
        set_vector(&mut self.inner, lane, inner);
    }

    /// Gives the lanes beyond the last link what that has.
    #[inline(always)]
    fn repeat(&mut self, valid: usize) {
        for lane in valid..4 {
            self.set(lane, vector(&self.outer, valid - 1), vector(&self.inner, valid - 1));
        }
    }

    #[inline(always)]
    fn load<L: Lanes>(&self, lanes: L) -> [Wide3<L>; 2] {
        [Wide3::load(lanes, &self.outer), Wide3::load(lanes, &self.inner)]
    }
}

/// [`Half::advance`].
pub struct Advance<'a> {
    pub half: &'a mut Half,
    pub kinds: &'a [Kind],
    pub state: &'a State,
    pub middle: Middle,
    pub h: f64,
    pub kick: Option<Kick<'a>>,
}

impl Advance<'_> {
    /// Impulses of four joints, and those of the step so far.
    #[inline(always)]
    fn pulls(&mut self, quad: usize, valid: usize) -> [Pulls; 2] {
        let (half, begin) = (&mut *self.half, self.kick.is_some());
        let (mut own, mut total) = (Pulls::NONE, Pulls::NONE);
        for lane in (0..valid).rev() {
            let k = 4 * quad + lane;
            let impulse = substitute(&half.inverse[k], &half.gain[k], half.x[k], self.middle.impulse);
            let sum = if begin { impulse } else { half.impulse[k] + impulse };
            half.impulse[k] = sum;
            own.set(lane, impulse, self.middle.impulse);
            total.set(lane, sum, self.middle.total);
            self.middle = Middle { impulse, total: sum };
        }
        own.repeat(valid);
        total.repeat(valid);
        [own, total]
    }
}

impl Task for Advance<'_> {
    type Output = Outward;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Outward {
        let (kinds, state, h, kick, outer) = (self.kinds, self.state, self.h, self.kick, self.half.outer);
        let [zero, one, four, step, rate] = [0.0, 1.0, 4.0, h, 1.0 / h].map(|x| Simd4::splat(lanes, x));
        let near = Simd4::splat(lanes, 4.0 * f64::EPSILON);
        let last = self.half.quad.len() - 1;
        let mut make = Make::new(lanes, kinds, self.half.quad[last].kind, outer);
        let (mut worst, mut swing, mut off, mut poison) = (zero, zero, zero, zero);
        let (mut ahead, mut end) = (DVec3::ZERO, DVec3::ZERO);
        for quad in (0..=last).rev() {
            let (body, valid) = (self.half.bodies(quad), self.half.valid(quad));
            make.turn_to(lanes, kinds, self.half.quad[quad].kind, outer);
            let [own, total] = self.pulls(quad, valid);
            let links = &mut self.half.quad[quad];
            let found = Found::new(lanes, &make, state, body);
            let (mut linear, mut spin) = match kick {
                Some(kick) => {
                    let there = WideTurn::load(lanes, &links.rotation);
                    let ([a, b, c, d], [p, q, r, s]) = (there.0, found.rotation.0);
                    let (a, b, c, d) = (a - p, b - q, c - r, d - s);
                    let turned = a * a + b * b + c * c + d * d;
                    // The centre of mass comes back from the pose with a rounding; the orientation is exact.
                    let moved = (Wide3::load(lanes, &links.com) - found.com).largest() - near * found.com.largest();
                    off = off.max(turned).max(moved);
                    let gained = kick.gain(lanes, &make, body);
                    let twist = body.map(|body| &state.body_qd[body as usize]);
                    let linear = Wide3::gather(lanes, twist.map(|twist| twist.linear));
                    let angular = Wide3::gather(lanes, twist.map(|twist| twist.angular));
                    let spin = found.turn.times(make.inertia.times(found.turn.transposed_times(angular)));
                    (linear + gained[0], spin + gained[1])
                }
                None => (Wide3::load(lanes, &links.linear), Wide3::load(lanes, &links.spin)),
            };
            let [out, inn] = own.load(lanes);
            let levers = make.levers(found.turn);
            linear = linear + (inn - out).times(make.inverse_mass);
            spin = spin + (levers[1].cross(inn) - levers[0].cross(out));
            let bound = make.swing_bound(total.load(lanes), four);
            swing = bound.max(swing);
            // The larger of two forgets what is no number; a sum does not.
            poison += bound * zero;
            let com = found.com + linear.times(step);
            let momentum = found.turn.transposed_times(spin);
            let rotation = make.turned(lanes, found.rotation, momentum, h);
            (links.com, links.rotation) = (com.store(), rotation.store());
            (links.linear, links.spin) = (linear.store(), spin.store());
            let [outer_lever, inner_lever] = make.levers(rotation.matrix(one));
            let inner_end = com + inner_lever;
            let (outer_end, inside) = ((com + outer_lever).store(), inner_end.store());
            let mut next: Vectors = [0, 1, 2].map(|k| [outer_end[k][1], outer_end[k][2], outer_end[k][3], ahead[k]]);
            if quad == last {
                end = vector(&inside, valid - 1);
                (valid - 1..4).for_each(|lane| set_vector(&mut next, lane, vector(&inside, lane)));
            }
            let gap = Wide3::load(lanes, &next) - inner_end;
            worst = gap.dot(gap).max(worst);
            let gap = gap.times(rate).store();
            let x = self.half.x[4 * quad + 1..].iter_mut().take(4);
            x.enumerate().for_each(|(lane, x)| *x = vector(&gap, lane));
            ahead = vector(&outer_end, 0);
        }
        let gap = self.half.anchor.map_or(DVec3::ZERO, |anchor| ahead - anchor);
        self.half.x[0] = gap / h;
        let worst = worst.store().into_iter().fold(gap.length_squared(), f64::max);
        let swing = swing.store().into_iter().fold(poison.sum(), larger);
        Outward { end: Some(end), worst, swing, same: off.store() == [0.0; 4] }
    }
}

/// [`Half::finish`].
pub struct Finish<'a> {
    pub half: &'a mut Half,
    pub kinds: &'a [Kind],
    pub bodies: Bodies<'a>,
    pub kick: Kick<'a>,
    pub middle: DVec3,
}

impl Task for Finish<'_> {
    type Output = Motion;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Motion {
        let Self { half, kinds, bodies, kick, middle: mut inner } = self;
        let [zero, one] = [0.0, 1.0].map(|x| Simd4::splat(lanes, x));
        let gravity = Wide3::splat(lanes, kick.gravity);
        let none = Wide3 { x: zero, y: zero, z: zero };
        let last = half.quad.len() - 1;
        let mut make = Make::new(lanes, kinds, half.quad[last].kind, half.outer);
        let (mut twice, mut height, mut linear_sum, mut angular_sum) = (zero, zero, none, none);
        for quad in (0..=last).rev() {
            let (body, valid) = (half.bodies(quad), half.valid(quad));
            let mut own = Pulls::NONE;
            for lane in (0..valid).rev() {
                let k = 4 * quad + lane;
                let impulse = substitute(&half.inverse[k], &half.gain[k], half.x[k], inner);
                half.impulse[k] += impulse;
                own.set(lane, impulse, inner);
                inner = impulse;
            }
            own.repeat(valid);
            let links = &half.quad[quad];
            make.turn_to(lanes, kinds, links.kind, half.outer);
            let turn = WideTurn::load(lanes, &links.rotation).matrix(one);
            let levers = make.levers(turn);
            let gained = kick.gain(lanes, &make, body);
            let [out, inn] = own.load(lanes);
            let linear = Wide3::load(lanes, &links.linear) + gained[0] + (inn - out).times(make.inverse_mass);
            let spin = Wide3::load(lanes, &links.spin) + gained[1] + (levers[1].cross(inn) - levers[0].cross(out));
            let angular = turn.times(make.inverse.times(turn.transposed_times(spin)));
            let com = Wide3::load(lanes, &links.com);
            let origin = (com - turn.times(make.com)).store();
            let count = Simd4::load(lanes, &[0, 1, 2, 3].map(|lane| if lane < valid { 1.0 } else { 0.0 }));
            let momentum = linear.times(make.mass).times(count);
            twice += momentum.dot(linear) + count * spin.dot(angular);
            height += make.mass * count * gravity.dot(com);
            linear_sum = linear_sum + momentum;
            angular_sum = angular_sum + com.cross(momentum) + spin.times(count);
            let (linear, angular) = (linear.store(), angular.store());
            for lane in 0..valid {
                let place = body[lane] as usize - bodies.first;
                let [x, y, z, w] = links.rotation.map(|part| part[lane]);
                bodies.q[place] = Pose::from_parts(vector(&origin, lane), DQuat::from_xyzw(x, y, z, w));
                bodies.qd[place] = Twist { linear: vector(&linear, lane), angular: vector(&angular, lane) };
            }
        }
        let sum = |of: Wide3<L>| DVec3::new(of.x.sum(), of.y.sum(), of.z.sum());
        Motion {
            kinetic: 0.5 * twice.sum(),
            potential: -height.sum(),
            linear: sum(linear_sum),
            angular: sum(angular_sum),
        }
    }
}

/// [`Half::gaps`].
pub struct Gaps<'a> {
    pub half: &'a mut Half,
    pub kinds: &'a [Kind],
}

impl Task for Gaps<'_> {
    type Output = (f64, DVec3);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> (f64, DVec3) {
        let Self { half, kinds } = self;
        let one = Simd4::splat(lanes, 1.0);
        let (mut worst, mut before) = (0.0f64, half.anchor);
        for quad in 0..half.quad.len() {
            let links = &half.quad[quad];
            let make = Make::new(lanes, kinds, links.kind, half.outer);
            let com = Wide3::load(lanes, &links.com);
            let turn = WideTurn::load(lanes, &links.rotation).matrix(one);
            let [outer, inner] = make.levers(turn);
            let ends = [(com + outer).store(), (com + inner).store()];
            for lane in 0..half.valid(quad) {
                let gap = before.map_or(DVec3::ZERO, |before| vector(&ends[0], lane) - before);
                worst = worst.max(gap.length_squared());
                half.x[4 * quad + lane] = gap;
                before = Some(vector(&ends[1], lane));
            }
        }
        (worst, before.unwrap_or_default())
    }
}
