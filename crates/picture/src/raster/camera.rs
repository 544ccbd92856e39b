//! A camera that finds its own place.

use drystone::geometry::DVec3;

/// Where the picture is taken from. Camera coordinates are (right, up, forward) of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye \[m\].
    pub position: DVec3,
    /// Unit vector towards the right of the picture.
    pub right: DVec3,
    /// Unit vector towards the top of the picture.
    pub up: DVec3,
    /// Unit vector into the picture.
    pub forward: DVec3,
    /// Tangent of half the opening angle, across and up \[1\].
    pub tangent: [f64; 2],
}

/// Where to look from and at what. Without an eye the camera stands where everything just fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle around the up-axis away from a frontal view of the widest side \[rad\].
    pub azimuth: f64,
    /// Angle above the horizon \[rad\]; `None` looks down on flat scenes and up at tall ones.
    pub elevation: Option<f64>,
    /// Vertical opening angle \[rad\].
    pub opening: f64,
    /// Where the eye is \[m\]; azimuth and elevation then say nothing.
    pub eye: Option<DVec3>,
    /// The point in the middle of the picture \[m\]; the middle of the scene if not given.
    pub target: Option<DVec3>,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth: 0.5, elevation: None, opening: 0.5, eye: None, target: None }
    }
}

/// Share of the picture that the scene may fill; the rest is air around it.
const FILL: f64 = 0.88;

impl Camera {
    /// Looks at a set of balls (centre, radius \[m\]): from the eye of the view, or such that all of them fit as
    /// closely as possible. `up` is the unit vector that will point up; `aspect` is width over height.
    pub fn framing(balls: &[(DVec3, f64)], up: DVec3, aspect: f64, view: &View) -> Self {
        let forward = match view.eye {
            Some(eye) => (view.target.unwrap_or_else(|| middle(balls)) - eye).normalize_or(DVec3::Y),
            None => fitting_direction(balls, up, view),
        };
        let right = forward.cross(up).normalize_or(horizontal_axis(up));
        let half = (0.5 * view.opening).tan();
        let mut camera =
            Self { position: DVec3::ZERO, right, up: right.cross(forward), forward, tangent: [half * aspect, half] };
        camera.position = view.eye.unwrap_or_else(|| camera.fit(balls, view.target));
        camera
    }

    /// The nearest position from which all balls lie within the picture. Each side plane gives one
    /// inequality per ball; opposite sides together give the distance and, unless a target does, the centring.
    fn fit(&self, balls: &[(DVec3, f64)], target: Option<DVec3>) -> DVec3 {
        let side = |axis: DVec3, tangent: f64| {
            let farthest = |sign: f64| {
                let reach = |&(c, r): &(DVec3, f64)| {
                    sign * axis.dot(c) - tangent * self.forward.dot(c) + r * tangent.hypot(1.0)
                };
                balls.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
            };
            let (plus, minus) = (farthest(1.0), farthest(-1.0));
            let centre = target.map_or(0.5 * (plus - minus), |target| axis.dot(target));
            (centre, -(plus - centre).max(minus + centre) / tangent)
        };
        let (x, depth_x) = side(self.right, FILL * self.tangent[0]);
        let (y, depth_y) = side(self.up, FILL * self.tangent[1]);
        let position = self.right * x + self.up * y + self.forward * depth_x.min(depth_y);
        if position.is_finite() { position } else { target.unwrap_or_default() - self.forward * 5.0 }
    }

    /// Camera coordinates of a point \[m\].
    pub fn see(&self, point: DVec3) -> DVec3 {
        self.turn(point - self.position)
    }

    /// Camera coordinates of a direction.
    pub fn turn(&self, direction: DVec3) -> DVec3 {
        DVec3::new(self.right.dot(direction), self.up.dot(direction), self.forward.dot(direction))
    }

    /// World coordinates of a direction given in camera coordinates.
    pub fn turn_back(&self, direction: DVec3) -> DVec3 {
        self.right * direction.x + self.up * direction.y + self.forward * direction.z
    }
}

/// The direction of a view without an eye: towards the widest side, turned and raised as the view says.
fn fitting_direction(balls: &[(DVec3, f64)], up: DVec3, view: &View) -> DVec3 {
    let side = horizontal_axis(up);
    let depth = up.cross(side);
    let [wide, deep, tall] = [side, depth, up].map(|axis| width_along(balls, axis));
    // Rounding must not decide for what is as wide as it is deep.
    let (front, across) = if wide >= deep * (1.0 - 1e-9) { (-depth, side) } else { (side, depth) };
    let elevation = view.elevation.unwrap_or_else(|| 0.52 - 0.30 * (tall / wide.max(deep)).clamp(0.0, 1.0));
    let level = front * view.azimuth.cos() + across * view.azimuth.sin();
    -(level * elevation.cos() + up * elevation.sin())
}

/// The middle of the box around all balls \[m\].
fn middle(balls: &[(DVec3, f64)]) -> DVec3 {
    let low = balls.iter().fold(DVec3::INFINITY, |low, (c, r)| low.min(*c - *r));
    let high = balls.iter().fold(DVec3::NEG_INFINITY, |high, (c, r)| high.max(*c + *r));
    if balls.is_empty() { DVec3::ZERO } else { 0.5 * (low + high) }
}

/// A unit vector across `up`: x where it can be.
fn horizontal_axis(up: DVec3) -> DVec3 {
    let seed = if up.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    (seed - up * up.dot(seed)).normalize_or(DVec3::X)
}

fn width_along(balls: &[(DVec3, f64)], axis: DVec3) -> f64 {
    let upper = balls.iter().map(|(c, r)| axis.dot(*c) + r).fold(f64::NEG_INFINITY, f64::max);
    let lower = balls.iter().map(|(c, r)| axis.dot(*c) - r).fold(f64::INFINITY, f64::min);
    (upper - lower).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_balls_fit_and_touch_the_margin() {
        let balls =
            [(DVec3::new(3.0, 0.0, 0.5), 0.5), (DVec3::new(-4.0, 1.0, 2.0), 0.2), (DVec3::new(0.0, -2.0, 5.0), 1.0)];
        let camera = Camera::framing(&balls, DVec3::Z, 16.0 / 9.0, &View::default());
        // Sine of the angle from each side plane to the ball, positive inside.
        let mut tightest = f64::INFINITY;
        for (centre, radius) in balls {
            let p = camera.see(centre);
            for (offset, t) in [(p.x, camera.tangent[0]), (p.y, camera.tangent[1])] {
                let t = FILL * t;
                for sign in [1.0, -1.0] {
                    let room = (t * p.z - sign * offset) / t.hypot(1.0) - radius;
                    assert!(room > -1e-9, "{centre} sticks out by {room}");
                    tightest = tightest.min(room);
                }
            }
        }
        assert!(tightest < 1e-9, "the fit leaves {tightest}");
    }

    #[test]
    fn the_widest_side_faces_the_camera_whatever_is_up() {
        for (up, long) in [(DVec3::Z, DVec3::X), (DVec3::Z, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::X, DVec3::Z)] {
            let balls: Vec<_> = (-5..=5).map(|i| (long * f64::from(i), 0.3)).collect();
            let camera = Camera::framing(&balls, up, 1.5, &View::default());
            assert!(camera.right.dot(long).abs() > 0.8, "{up} {long}");
            assert!(camera.up.dot(up) > 0.5);
            assert!((camera.right.cross(camera.up) + camera.forward).length() < 1e-12, "right-handed");
        }
    }

    /// A single ball has no widest side: it is seen from the same side wherever it is.
    #[test]
    fn what_is_as_wide_as_deep_is_seen_from_one_side() {
        for k in 0..50 {
            let centre = DVec3::new(0.37 * f64::from(k), 11.3 - 0.71 * f64::from(k), 0.013 * f64::from(k));
            let camera = Camera::framing(&[(centre, 0.866)], DVec3::Z, 1.5, &View { azimuth: 0.0, ..View::default() });
            assert!(camera.right.dot(DVec3::X) > 0.99, "{centre}: {}", camera.right);
        }
    }

    #[test]
    fn a_target_is_in_the_middle_and_all_balls_still_fit() {
        let balls = [(DVec3::new(3.0, 0.0, 0.5), 0.5), (DVec3::new(-4.0, 1.0, 2.0), 0.2)];
        let target = DVec3::new(1.0, 0.5, -0.3);
        let view = View { target: Some(target), azimuth: 2.0, elevation: Some(1.2), ..View::default() };
        let camera = Camera::framing(&balls, DVec3::Z, 1.5, &view);
        let seen = camera.see(target);
        assert!(seen.x.abs() < 1e-12 && seen.y.abs() < 1e-12 && seen.z > 0.0, "{seen}");
        for (centre, radius) in balls {
            let p = camera.see(centre);
            assert!(p.x.abs() + radius < camera.tangent[0] * p.z && p.y.abs() + radius < camera.tangent[1] * p.z);
        }
        assert!((camera.forward.dot(DVec3::Z) + 1.2_f64.sin()).abs() < 1e-12);
    }

    #[test]
    fn an_eye_is_where_it_is_put_and_looks_at_the_target() {
        let eye = DVec3::new(6.0, -9.0, 6.0);
        for target in [Some(DVec3::new(0.0, 0.0, 4.0)), None, Some(DVec3::new(6.0, -9.0, 0.0))] {
            let view = View { eye: Some(eye), target, ..View::default() };
            let camera = Camera::framing(&[(DVec3::X, 1.0)], DVec3::Z, 1.5, &view);
            let seen = camera.see(target.unwrap_or(DVec3::X));
            assert_eq!(camera.position, eye);
            assert!(seen.x.abs() < 1e-12 && seen.y.abs() < 1e-12 && seen.z > 0.0, "{seen}");
            assert!((camera.right.cross(camera.up) + camera.forward).length() < 1e-12);
        }
    }
}
