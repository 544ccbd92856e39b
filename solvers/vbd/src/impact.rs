//! Restitution. Contacts that close within the step exchange impulses before positions are solved. Approach without
//! restitution is left to the position solve.
//!
//! Impulses travel from contact to contact, as in a row of balls, in the fixed order of the contacts.
//! Each acts on both bodies at one point, so linear and angular momentum are kept to round-off, and
//! each is limited so that it never adds energy.

use drystone_kernels::double::math::Vec3;
use drystone_model::{Contacts, DVec3};

use super::bodies::Bodies;
use super::convert::{to_dvec3, vec3};
use super::islands::Islands;
use super::rows::LANES;
use super::strike::{Pair, Strike, bounce, mobility, push, relative, rub};

/// Approaches slower than this multiple of the fall |g|h of a step do not bounce: a body that lies
/// still gains one such fall per step.
const SLOWEST_BOUNCE: f64 = 2.0;
/// Approaches slower than this share of the fastest one of their island are left to the position solve.
const NEGLIGIBLE: f64 = 1.0e-6;
/// Most passes over the contacts; a blow crosses a row of this many bodies in any order.
const MOST_ROUNDS: usize = 64;

/// Scratch of the impact pass.
#[derive(Clone, Debug, Default)]
pub struct Impacts {
    /// Manifolds that bounce, and the bodies that lead their islands.
    bouncy: Vec<(u32, u32)>,
    /// Fastest approach in an island, by its leader \[m/s\].
    fastest: Vec<f64>,
    /// Time of the last impact of a body within the step \[s\]; zero for what does not move, which many islands share.
    last: Vec<f64>,
    struck: Vec<bool>,
    /// Impulses on the second bodies, by manifold and point, manifolds ascending \[N·s\].
    pub blows: Vec<(u32, u32, Vec3)>,
}

/// What the impacts of a step read.
#[derive(Clone, Copy, Debug)]
pub struct ImpactStep<'a> {
    /// The contacts found.
    pub contacts: &'a Contacts,
    /// Islands of the bodies.
    pub islands: &'a Islands,
    /// Step \[s\].
    pub h: f64,
}

impl Impacts {
    /// Lets all bouncing contacts of the step bounce and aims the bodies anew.
    pub fn resolve(&mut self, step: &ImpactStep, bodies: &mut Bodies) {
        let material = &step.contacts.manifold_material;
        self.blows.clear();
        self.bouncy.clear();
        let bouncy = (0..material.len()).filter(|&m| material[m].restitution > 0.0);
        let led = |m| Some((m as u32, step.islands.leader_of_manifold(step.contacts, m)? as u32));
        self.bouncy.extend(bouncy.filter_map(led));
        if self.bouncy.is_empty() {
            return;
        }
        let slots = bodies.delta.len();
        self.last.clear();
        self.last.resize(slots, 0.0);
        self.struck.clear();
        self.struck.resize(slots, false);
        self.find_fastest(step, bodies);
        for _ in 0..MOST_ROUNDS {
            let mut any = false;
            for index in 0..self.bouncy.len() {
                let (manifold, leader) = self.bouncy[index];
                any |= self.strike(step, bodies, manifold as usize, self.fastest[leader as usize]);
            }
            if !any {
                break;
            }
        }
        self.blows.sort_by_key(|blow| (blow.0, blow.1));
        for body in 0..bodies.world() {
            if self.struck[body] {
                bodies.aim(body, step.h);
                bodies.target[body] = bodies.target[body].add(bodies.shift[body]);
            }
        }
    }

    /// Impulse of all blows at a point of a manifold on its second body \[N·s\].
    pub fn blow(&self, manifold: usize, lane: usize) -> DVec3 {
        let place = (manifold as u32, lane as u32);
        let first = self.blows.partition_point(|blow| (blow.0, blow.1) < place);
        let own = self.blows[first..].iter().take_while(|blow| (blow.0, blow.1) == place);
        own.fold(DVec3::ZERO, |sum, blow| sum + to_dvec3(blow.2))
    }

    fn find_fastest(&mut self, step: &ImpactStep, bodies: &Bodies) {
        self.fastest.clear();
        self.fastest.resize(bodies.delta.len(), 0.0);
        for &(manifold, leader) in &self.bouncy {
            let pair = Pair::new(step, bodies, manifold as usize);
            let fastest = &mut self.fastest[leader as usize];
            for point in step.contacts.points(manifold as usize) {
                let speed = -pair.normal.dot(relative(&pair.velocity, &pair.levers(step, bodies, point)));
                *fastest = fastest.max(speed);
            }
        }
    }

    /// Lets a manifold strike if it closes fast enough. Returns whether it did.
    fn strike(&mut self, step: &ImpactStep, bodies: &mut Bodies, manifold: usize, fastest: f64) -> bool {
        let pair = Pair::new(step, bodies, manifold);
        let Some((time, points)) = self.closing_points(step, bodies, &pair, manifold) else { return false };
        let threshold = (SLOWEST_BOUNCE * step.h * pair.reference).max(NEGLIGIBLE * fastest);
        let before = pair.velocity_at(time);
        let mut strikes = [Strike::default(); LANES];
        let mut count = 0;
        for (lane, lever) in points.into_iter().enumerate().filter_map(|(lane, lever)| Some((lane as u32, lever?))) {
            let lever = self.levers_at(step, bodies, &pair, lever, time);
            let speed = pair.normal.dot(relative(&before, &lever));
            let mobility = mobility(bodies, &pair, &lever, pair.normal);
            strikes[count] = Strike { lever, mobility, before: speed, lane, ..Strike::default() };
            count += 1;
        }
        let strikes = &mut strikes[..count];
        if !strikes.iter().any(|s| s.before < -threshold) {
            return false;
        }
        let material = &step.contacts.manifold_material[manifold];
        bounce(bodies, &pair, strikes, before, material.restitution.min(1.0));
        let mut after = before;
        for strike in strikes.iter() {
            push(bodies, &pair, &mut after, &strike.lever, pair.normal.scale(strike.impulse));
        }
        rub(bodies, &pair, &mut after, strikes, material.friction_dynamic);
        let blows = strikes.iter().filter(|strike| strike.impulse > 0.0);
        self.blows.extend(
            blows.map(|strike| (manifold as u32, strike.lane, pair.normal.scale(strike.impulse).add(strike.rub))),
        );
        for side in 0..2 {
            let body = pair.slot[side];
            let change = after[side].sub(before[side]);
            bodies.velocity[body] = bodies.velocity[body].add(change);
            bodies.shift[body] = bodies.shift[body].sub(change.scale(time));
            if bodies.moves[body] {
                self.last[body] = time;
                self.struck[body] = true;
            }
        }
        true
    }

    /// Levers at the time of the impact of the place half way between the two surface points.
    fn levers_at(&self, step: &ImpactStep, bodies: &Bodies, pair: &Pair, lever: [Vec3; 2], time: f64) -> [Vec3; 2] {
        let path = pair.velocity_at(step.h);
        let centre = [0, 1].map(|side| {
            let slot = pair.slot[side];
            bodies.com[slot] + to_dvec3(bodies.shift[slot].l.add_scaled(path[side].l, time))
        });
        let place = [0, 1].map(|side| {
            let turned =
                lever[side].add(bodies.shift[pair.slot[side]].a.add_scaled(path[side].a, time).cross(lever[side]));
            centre[side] + to_dvec3(turned)
        });
        let middle = 0.5 * (place[0] + place[1]);
        centre.map(|centre| vec3(middle - centre))
    }

    /// When the manifold closes, and the levers of the points that do before the step is over.
    fn closing_points(
        &self,
        step: &ImpactStep,
        bodies: &Bodies,
        pair: &Pair,
        manifold: usize,
    ) -> Option<(f64, [Option<[Vec3; 2]>; LANES])> {
        let earliest = self.last[pair.slot[0]].max(self.last[pair.slot[1]]);
        let path = pair.velocity_at(step.h);
        let shift = pair.slot.map(|slot| bodies.shift[slot]);
        let mut points = [None; LANES];
        let mut time = f64::INFINITY;
        for (lane, point) in step.contacts.points(manifold).take(LANES).enumerate() {
            let lever = pair.levers(step, bodies, point);
            let gap = step.contacts.point_gap[point] + pair.normal.dot(relative(&shift, &lever));
            let speed = pair.normal.dot(relative(&path, &lever));
            if speed < 0.0 && gap + step.h * speed < 0.0 {
                points[lane] = Some(lever);
                time = time.min((gap / -speed).clamp(earliest, step.h));
            }
        }
        time.is_finite().then_some((time, points))
    }
}

#[cfg(test)]
mod tests {
    use drystone_collide::{Collide, CollideOptions};
    use drystone_model::{BodyDef, BodyId, DVec3, Model, ModelBuilder, Shape, ShapeDef, State, WORLD};

    use super::*;
    use drystone_kernels::double::math::Vec6;

    const H: f64 = 0.01;

    /// Lets what closes within a step strike; velocities after.
    fn strike(model: &Model, state: &State) -> Vec<Vec6> {
        let mut bodies = Bodies::default();
        bodies.resize(model);
        bodies.effort.resize(model.body_count(), Default::default());
        bodies.start(model, state, &model.control(), H);
        (0..model.body_count()).for_each(|body| bodies.aim(body, H));
        let mut collide = Collide::new(model, CollideOptions { margin: 0.1 });
        collide.detect(model, state, H);
        let contacts = &collide.contacts;
        let slot = |body: u32| if body == WORLD { bodies.world() as u32 } else { body };
        let ends = contacts.manifold_body0.iter().zip(&contacts.manifold_body1).map(|(&a, &b)| [slot(a), slot(b)]);
        let mut islands = Islands::default();
        islands.build(&bodies.moves, ends, std::iter::empty());
        Impacts::default().resolve(&ImpactStep { contacts, islands: &islands, h: H }, &mut bodies);
        bodies.velocity[..model.body_count()].to_vec()
    }

    /// Two balls of radius 0.5 a millimetre apart along x.
    fn two_balls(mass: [f64; 2], speed: [f64; 2], restitution: f64) -> [f64; 2] {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        for (ball, x) in [-0.5005, 0.5005].into_iter().enumerate() {
            let at = BodyDef::dynamic(format!("{ball}")).at(DVec3::new(x, 0.0, 0.0)).sphere(0.5).mass(mass[ball]);
            scene.add_body(at.restitution(restitution).friction(0.0).velocity(DVec3::X * speed[ball]));
        }
        let model = scene.finalize().unwrap();
        let after = strike(&model, &model.state());
        [after[0].l.x, after[1].l.x]
    }

    /// v₁' = (m₁ v₁ + m₂ v₂ + e m₂ (v₂ − v₁)) / (m₁ + m₂), and with 1 and 2 exchanged.
    #[test]
    fn two_balls_part_with_the_restitution_of_their_approach() {
        for (mass, speed) in [([1.0, 1.0], [2.0, 0.0]), ([1.0, 3.0], [1.5, -0.5]), ([5.0, 0.2], [0.0, -4.0])] {
            for restitution in [0.2, 0.7, 1.0] {
                let after = two_balls(mass, speed, restitution);
                let centre = (mass[0] * speed[0] + mass[1] * speed[1]) / (mass[0] + mass[1]);
                for ball in 0..2 {
                    let (own, other) = (speed[ball], speed[1 - ball]);
                    let want = centre + restitution * mass[1 - ball] * (other - own) / (mass[0] + mass[1]);
                    assert!((after[ball] - want).abs() < 1e-12, "{after:?}: {want} for ball {ball}");
                }
                // Seen from behind, the other way round.
                let mirrored = two_balls([mass[1], mass[0]], [-speed[1], -speed[0]], restitution);
                assert!((mirrored[0] + after[1]).abs() < 1e-12 && (mirrored[1] + after[0]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_parts_or_does_not_arrive_in_the_step_is_left_alone() {
        assert_eq!(two_balls([1.0, 2.0], [-1.0, 1.0], 0.5), [-1.0, 1.0]);
        assert_eq!(two_balls([1.0, 2.0], [0.04, -0.04], 0.5), [0.04, -0.04], "0.8 mm of a gap of 1 mm");
    }

    /// A ball that comes down on the ground aslant: it leaves at e times its approach, and friction takes µ (1 + e) of that
    /// from its sliding, or as much as leaves it rolling: 5/7 of its speed.
    #[test]
    fn friction_in_a_blow_slides_or_lets_roll() {
        let (radius, along, down, restitution) = (0.5, 3.0, 2.0, 0.5);
        for (mu, speed) in [(0.0, along), (0.1, along - 0.1 * (1.0 + restitution) * down), (2.0, 5.0 / 7.0 * along)] {
            let mut scene = ModelBuilder::new();
            scene.gravity(DVec3::ZERO);
            scene.add_shape(BodyId::WORLD, ShapeDef::new(Shape::HalfSpace).friction(mu));
            let ball = BodyDef::dynamic("ball").at(DVec3::new(0.0, 0.0, radius)).sphere(radius).mass(1.3);
            let ball = ball.restitution(restitution).friction(mu).velocity(DVec3::new(along, 0.0, -down));
            scene.add_body(ball);
            let model = scene.finalize().unwrap();
            let after = strike(&model, &model.state())[0];
            assert!((after.l.x - speed).abs() < 1e-9, "µ = {mu}: {after:?} for {speed}");
            assert!(after.l.y.abs() < 1e-12 && (after.l.z - restitution * down).abs() < 1e-12, "{after:?}");
            // The moment of the friction: I ω = r m Δv, with I = 2/5 m r².
            let spin = (along - speed) / (0.4 * radius);
            assert!((after.a.y - spin).abs() < 1e-9, "µ = {mu}: spin {} for {spin}", after.a.y);
        }
    }
}
