//! Forces of a medium: MuJoCo's model of bodies as boxes of the same inertia, resisting along and about their principal axes.

use std::f64::consts::PI;

use drystone_model::{DMat3, DQuat, DVec3, Drag, MassProperties, Pose};

use super::super::fault::{Log, Place};
use super::super::xml::Element;
use super::geom::Geom;
use super::settings::{FromGeoms, Settings};

/// What bodies move through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Medium {
    /// \[kg/m³\]
    pub(super) density: f64,
    /// \[Pa·s\]
    pub(super) viscosity: f64,
}

/// What the file asks for: its principal axes, on which the resistance of bodies with equal moments depends.
pub(super) fn principal_axes(
    body: &Element,
    geoms: &[Geom],
    mass: &MassProperties,
    settings: &Settings,
    log: &mut Log,
) -> DQuat {
    let stated = body.child("inertial").filter(|_| settings.from_geoms != FromGeoms::Always);
    if let Some(inertial) = stated {
        if inertial.attribute("diaginertia").is_some() {
            return settings.pose(inertial, log).rotation;
        }
    } else if let [single] = &geoms.iter().filter(|geom| geom.mass.mass > 0.0).collect::<Vec<_>>()[..]
        && !single.is_mesh
    {
        // A single geom keeps its axes.
        return single.rotation;
    }
    mass.principal_axes().1
}

impl Medium {
    pub(super) fn acts(&self) -> bool {
        self.density != 0.0 || self.viscosity != 0.0
    }

    /// What a body of this mass feels, in its frame.
    pub(super) fn drag(&self, mass: &MassProperties, axes: DQuat) -> Option<Drag> {
        if mass.mass <= 0.0 || !self.acts() {
            return None;
        }
        let turn = DMat3::from_quat(axes);
        let moments = (turn.transpose() * mass.inertia * turn).diagonal();
        // Sides of the box with these moments.
        let side = |k: usize| {
            let square = (moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k]) / mass.mass * 6.0;
            square.max(1e-15).sqrt()
        };
        let sides = DVec3::new(side(0), side(1), side(2));
        let mean = sides.element_sum() / 3.0;
        let mut drag = Drag { pose: Pose::from_parts(mass.com, axes), ..Drag::default() };
        for k in 0..3 {
            let [a, b] = [sides[(k + 1) % 3], sides[(k + 2) % 3]];
            // Stokes' law for a ball of the mean side as its diameter.
            drag.linear[k] = 3.0 * PI * mean * self.viscosity;
            drag.linear[3 + k] = PI * mean * mean * mean * self.viscosity;
            drag.quadratic[k] = 0.5 * self.density * a * b;
            drag.quadratic[3 + k] = self.density * sides[k] * (a * a * a * a + b * b * b * b) / 64.0;
        }
        Some(drag)
    }

    /// Refuses what the law of boxes is not for.
    pub(super) fn check_geom(&self, geom: &Element, log: &mut Log) {
        if self.acts() && geom.text_of("fluidshape") == Some("ellipsoid") {
            let message = format!("{}: the resistance of ellipsoids is not computed", geom.called());
            log.fault(geom.place, message, "remove `fluidshape`: bodies then resist as boxes of their inertia");
        }
    }

    pub(super) fn check_wind(&self, wind: DVec3, place: Place, log: &mut Log) {
        if self.acts() && wind != DVec3::ZERO {
            log.fault(place, "`wind`: a medium that moves cannot be said", "let it stand still: `wind=\"0 0 0\"`");
        }
    }
}
