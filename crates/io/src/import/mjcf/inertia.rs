//! The mass of a body: from its `inertial`, or from its geoms.

use drystone_model::{DMat3, DVec3, MassProperties};

use super::super::fault::Log;
use super::super::xml::Element;
use super::geom::Geom;
use super::settings::{FromGeoms, Settings};

/// The mass of a body in its frame.
pub(super) fn body_mass(body: &Element, geoms: &[Geom], settings: &Settings, log: &mut Log) -> MassProperties {
    let given = body.child("inertial");
    let from_geoms = match settings.from_geoms {
        FromGeoms::Auto => given.is_none(),
        FromGeoms::Always => true,
        FromGeoms::Never => false,
    };
    let mass = match given {
        _ if from_geoms => {
            let [low, high] = settings.inertia_groups;
            geoms.iter().filter(|geom| (low..=high).contains(&geom.group)).map(|geom| geom.mass).sum()
        }
        Some(inertial) => stated(inertial, settings, log).unwrap_or(MassProperties::ZERO),
        None => MassProperties::ZERO,
    };
    bounded(mass, settings)
}

fn stated(inertial: &Element, settings: &Settings, log: &mut Log) -> Option<MassProperties> {
    inertial.needed(log, "mass")?;
    let mass = inertial.number(log, "mass")?;
    let pose = settings.pose(inertial, log);
    let inertia = match (inertial.attribute("fullinertia"), inertial.attribute("diaginertia")) {
        (Some(_), None) => {
            let [xx, yy, zz, xy, xz, yz] = inertial.numbers(log, "fullinertia")?;
            DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
        }
        (None, Some(_)) => DMat3::from_diagonal(inertial.vector(log, "diaginertia")?),
        _ => {
            log.fault(inertial.place, "an inertial needs one of `diaginertia` and `fullinertia`", "give one of them");
            return None;
        }
    };
    Some(MassProperties { mass, com: DVec3::ZERO, inertia }.transformed(&pose))
}

/// `boundmass`, `boundinertia` and `balanceinertia`.
fn bounded(mass: MassProperties, settings: &Settings) -> MassProperties {
    let mut out = mass;
    out.mass = out.mass.max(settings.least_mass);
    let (mut moments, axes) = mass.principal_axes();
    let balanced = settings.balance_inertia && moments.x + moments.y < moments.z;
    if balanced {
        moments = DVec3::splat(moments.element_sum() / 3.0);
    }
    if balanced || moments.min_element() < settings.least_inertia {
        let moments = moments.max(DVec3::splat(settings.least_inertia));
        let axes = DMat3::from_quat(axes);
        out.inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
    }
    out
}
