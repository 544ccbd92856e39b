//! The four-bar in the angle of its crank: closed-form kinematics and Lagrange's equation.

use drystone::model::{DVec3, Model};

use super::rk4;

/// A plane vector.
type Vec2 = [f64; 2];

fn turned(angle: f64, [x, z]: Vec2) -> Vec2 {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * z, sin * x + cos * z]
}

fn quarter([x, z]: Vec2) -> Vec2 {
    [-z, x]
}

/// A four-bar in the plane of x and z, gravity along −z. Links are crank, coupler and rocker.
#[derive(Clone, Copy, Debug)]
pub struct FourBar {
    length: [f64; 3],
    /// From the crank's frame pin to the rocker's \[m\], along x.
    frame: f64,
    mass: [f64; 3],
    inertia: [f64; 3],
    /// Centres of mass from the pins of frame–crank, crank–coupler and frame–rocker, along and across
    /// the link \[m\].
    centre: [Vec2; 3],
    gravity: f64,
    /// Angle of the crank from x towards z and its rate \[rad\], \[rad/s\].
    pub state: [f64; 2],
}

/// Angles of the links, and their first and second derivatives by the crank's angle.
struct Shape {
    angle: [f64; 3],
    first: [f64; 3],
    second: [f64; 3],
}

impl FourBar {
    /// The scene `four-bar` at its start, at rest. Joints: frame–crank, crank–coupler,
    /// coupler–rocker, frame–rocker.
    pub fn of(model: &Model) -> Self {
        let state = model.state();
        let pin = |joint: usize| plane(model.joint_frames(&state, joint).0.translation);
        let [a, b, c, d] = [0, 1, 2, 3].map(pin);
        let link = [minus(b, a), minus(c, b), minus(c, d)];
        let root = [a, b, d];
        let angle = link.map(|[x, z]| z.atan2(x));
        let centre =
            |body: usize| turned(-angle[body], minus(plane(model.body_centre(&state, body as u32)), root[body]));
        Self {
            length: link.map(|[x, z]| x.hypot(z)),
            frame: minus(d, a)[0],
            mass: [0, 1, 2].map(|body| model.body_mass[body]),
            inertia: [0, 1, 2].map(|body| model.body_inertia_world(&state, body).y_axis.y),
            centre: [0, 1, 2].map(centre),
            gravity: -model.world_gravity[0].z,
            state: [angle[0], 0.0],
        }
    }

    /// Goes on by `time` \[s\] in steps of at most `dt` \[s\].
    pub fn advance(&mut self, time: f64, dt: f64) {
        let steps = (time / dt).ceil();
        for _ in 0..steps as usize {
            self.state = rk4(self.state, time / steps, |&[angle, rate]| [rate, self.acceleration(angle, rate)]);
        }
    }

    /// The rocker's pin lies on circles about crank pin and frame; of the two assemblies the one to
    /// the left of the way from the crank pin to the frame.
    fn shape(&self, crank: f64) -> Shape {
        let [r1, r2, r3] = self.length;
        let b = turned(crank, [r1, 0.0]);
        let way = minus([self.frame, 0.0], b);
        let distance = way[0].hypot(way[1]);
        let at_crank_pin = ((r2 * r2 + distance * distance - r3 * r3) / (2.0 * r2 * distance)).acos();
        let coupler = way[1].atan2(way[0]) + at_crank_pin;
        let c = plus(b, turned(coupler, [r2, 0.0]));
        let rocker = c[1].atan2(c[0] - self.frame);
        // r1 e(θ) + r2 e(φ) = f + r3 e(ψ), differentiated once and twice, each time seen along e(φ) and e(ψ).
        let (sin_c, cos_c) = (coupler - crank).sin_cos();
        let (sin_r, cos_r) = (rocker - crank).sin_cos();
        let (sin, cos) = (rocker - coupler).sin_cos();
        let dc = -r1 * sin_r / (r2 * sin);
        let dr = -r1 * sin_c / (r3 * sin);
        let ddc = -(r1 * cos_r * (dr - 1.0) + r2 * dc * cos * (dr - dc)) / (r2 * sin);
        let ddr = -(r1 * cos_c * (dc - 1.0) - r3 * dr * cos * (dc - dr)) / (r3 * sin);
        Shape { angle: [crank, coupler, rocker], first: [1.0, dc, dr], second: [0.0, ddc, ddr] }
    }

    /// J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = 0.
    fn acceleration(&self, crank: f64, rate: f64) -> f64 {
        let shape = self.shape(crank);
        let (mut inertia, mut slope, mut weight) = (0.0, 0.0, 0.0);
        for link in 0..3 {
            let (first, second) = self.centre_derivatives(&shape, link);
            let (m, i) = (self.mass[link], self.inertia[link]);
            inertia += m * dot(first, first) + i * shape.first[link].powi(2);
            slope += 2.0 * (m * dot(first, second) + i * shape.first[link] * shape.second[link]);
            weight += m * self.gravity * first[1];
        }
        -(0.5 * slope * rate * rate + weight) / inertia
    }

    /// First and second derivative of a link's centre by the crank's angle.
    fn centre_derivatives(&self, shape: &Shape, link: usize) -> (Vec2, Vec2) {
        let spin = |link: usize, arm: Vec2| {
            let arm = turned(shape.angle[link], arm);
            let (first, second) = (shape.first[link], shape.second[link]);
            let across = quarter(arm);
            let twice = [0, 1].map(|k| second * across[k] - first * first * arm[k]);
            (across.map(|x| first * x), twice)
        };
        let own = spin(link, self.centre[link]);
        if link != 1 {
            return own;
        }
        let root = spin(0, [self.length[0], 0.0]);
        (plus(own.0, root.0), plus(own.1, root.1))
    }

    /// Kinetic and potential energy, the latter zero at the height of the frame \[J\].
    pub fn energy(&self) -> f64 {
        let [crank, rate] = self.state;
        let shape = self.shape(crank);
        let pin = turned(crank, [self.length[0], 0.0]);
        let height =
            |link: usize| turned(shape.angle[link], self.centre[link])[1] + if link == 1 { pin[1] } else { 0.0 };
        let of = |link: usize| {
            let (first, _) = self.centre_derivatives(&shape, link);
            let moving = self.mass[link] * dot(first, first) + self.inertia[link] * shape.first[link].powi(2);
            0.5 * moving * rate * rate + self.mass[link] * self.gravity * height(link)
        };
        of(0) + of(1) + of(2)
    }
}

fn plane(point: DVec3) -> Vec2 {
    [point.x, point.z]
}

fn minus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn plus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] + b[0], a[1] + b[1]]
}

fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::scene;

    #[test]
    fn derivatives_of_the_shape_are_those_of_differences() {
        let bar = FourBar::of(&scene("four-bar", &[]).model);
        for angle in [0.3, 1.7, 3.0, 5.1] {
            let h = 1e-5;
            let [low, mid, high] = [angle - h, angle, angle + h].map(|angle| bar.shape(angle));
            for link in 0..3 {
                let first = (high.angle[link] - low.angle[link]) / (2.0 * h);
                let second = (high.first[link] - low.first[link]) / (2.0 * h);
                assert!((first - mid.first[link]).abs() < 1e-8, "{angle} {link}");
                assert!((second - mid.second[link]).abs() < 1e-8, "{angle} {link}");
            }
        }
    }

    #[test]
    fn energy_stays_and_is_the_models_at_the_start() {
        let model = scene("four-bar", &[]).model;
        let mut bar = FourBar::of(&model);
        let start = bar.energy();
        assert!((start - model.energy(&model.state()).total()).abs() < 1e-12);
        bar.advance(5.0, 1e-3);
        assert!((bar.energy() - start).abs() < 1e-8 * start.abs(), "{} {start}", bar.energy());
    }
}
