//! `compiler` and `option`: how the rest of the file is to be understood.

use drystone_model::{DMat3, DQuat, DVec3, Pose};

use super::super::fault::Log;
use super::super::xml::Element;
use super::medium::Medium;

/// Where inertias come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// From geoms where `inertial` is missing.
    Auto,
    /// Always from geoms.
    Always,
    /// From `inertial` only.
    Never,
}

/// What the file says about itself.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    degrees: bool,
    euler: [char; 3],
    pub(super) autolimits: bool,
    pub(super) from_geoms: FromGeoms,
    pub(super) balance_inertia: bool,
    pub(super) least_mass: f64,
    pub(super) least_inertia: f64,
    pub(super) total_mass: Option<f64>,
    pub(super) inertia_groups: [f64; 2],
    pub(super) mesh_folder: String,
    pub(super) strip_path: bool,
    /// Whether shapes fitted to meshes hold them, instead of having their inertia.
    pub(super) fit_bounds: bool,
    pub(super) gravity: DVec3,
    pub(super) medium: Medium,
    /// The time step, where the file gives one \[s\].
    pub(super) dt: Option<f64>,
    disabled: Vec<String>,
}

impl Settings {
    pub(super) fn read(root: &Element, log: &mut Log) -> Self {
        let mut settings = Self {
            degrees: true,
            euler: ['x', 'y', 'z'],
            autolimits: true,
            from_geoms: FromGeoms::Auto,
            balance_inertia: false,
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
            inertia_groups: [0.0, 5.0],
            mesh_folder: String::new(),
            strip_path: false,
            fit_bounds: false,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            medium: Medium::default(),
            dt: None,
            disabled: Vec::new(),
        };
        root.children_named("compiler").for_each(|compiler| settings.compiler(compiler, log));
        root.children_named("option").for_each(|option| settings.option(option, log));
        settings
    }

    fn compiler(&mut self, element: &Element, log: &mut Log) {
        let degrees = element.choice(log, "angle", &[("degree", true), ("radian", false)]);
        self.degrees = degrees.unwrap_or(self.degrees);
        if let Some(attribute) = element.attribute("eulerseq") {
            let axes: Vec<char> = attribute.value.chars().collect();
            match <[char; 3]>::try_from(axes) {
                Ok(axes) if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => self.euler = axes,
                _ => log.fault(attribute.place, "`eulerseq` is not three axes", "give three of x, y, z, X, Y, Z"),
            }
        }
        self.autolimits = element.flag(log, "autolimits").unwrap_or(self.autolimits);
        let words = [("auto", FromGeoms::Auto), ("true", FromGeoms::Always), ("false", FromGeoms::Never)];
        self.from_geoms = element.choice(log, "inertiafromgeom", &words).unwrap_or(self.from_geoms);
        self.balance_inertia = element.flag(log, "balanceinertia").unwrap_or(self.balance_inertia);
        self.least_mass = element.number(log, "boundmass").unwrap_or(self.least_mass);
        self.least_inertia = element.number(log, "boundinertia").unwrap_or(self.least_inertia);
        let total = element.number(log, "settotalmass");
        self.total_mass = total.or(self.total_mass).filter(|&total| total > 0.0);
        self.inertia_groups = element.numbers(log, "inertiagrouprange").unwrap_or(self.inertia_groups);
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = element.text_of(name) {
                folder.clone_into(&mut self.mesh_folder);
            }
        }
        self.strip_path = element.flag(log, "strippath").unwrap_or(self.strip_path);
        self.fit_bounds = element.flag(log, "fitaabb").unwrap_or(self.fit_bounds);
        if element.text_of("coordinate") == Some("global") {
            let help = "write poses relative to parents; MuJoCo itself no longer reads the others";
            log.fault(element.place, "global coordinates are not read", help);
        }
        if element.flag(log, "alignfree") == Some(true) {
            log.note(element.place, "`alignfree`: body frames stay where the file puts them");
        }
    }

    fn option(&mut self, element: &Element, log: &mut Log) {
        self.gravity = element.vector(log, "gravity").unwrap_or(self.gravity);
        self.dt = element.number(log, "timestep").or(self.dt);
        for (name, value) in [("density", &mut self.medium.density), ("viscosity", &mut self.medium.viscosity)] {
            *value = element.number(log, name).unwrap_or(*value);
            if let Some(attribute) = element.attribute(name).filter(|_| *value < 0.0) {
                log.fault(attribute.place, format!("`{name}` is negative"), "give zero or more");
            }
        }
        self.medium.check_wind(element.vector(log, "wind").unwrap_or(DVec3::ZERO), element.place, log);
        for flag in element.children_named("flag") {
            let off = flag.attributes.iter().filter(|attribute| attribute.value == "disable");
            self.disabled.extend(off.map(|attribute| attribute.name.clone()));
        }
        if self.disabled("constraint") {
            self.disabled.extend(["contact", "limit", "equality", "frictionloss"].map(str::to_owned));
        }
        if self.disabled("gravity") {
            self.gravity = DVec3::ZERO;
        }
    }

    /// Whether a flag of `option` switches something off.
    pub(super) fn disabled(&self, flag: &str) -> bool {
        self.disabled.iter().any(|name| name == flag)
    }

    /// An angle of the file in radians.
    pub(super) fn angle(&self, value: f64) -> f64 {
        if self.degrees { value.to_radians() } else { value }
    }

    /// The pose of an element in what holds it.
    pub(super) fn pose(&self, element: &Element, log: &mut Log) -> Pose {
        let at = element.vector(log, "pos").unwrap_or(DVec3::ZERO);
        Pose::from_parts(at, self.rotation(element, log).unwrap_or(DQuat::IDENTITY))
    }

    /// The rotation of an element, if it gives one.
    pub(super) fn rotation(&self, element: &Element, log: &mut Log) -> Option<DQuat> {
        let ways = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
        let given: Vec<&str> = ways.into_iter().filter(|way| element.attribute(way).is_some()).collect();
        if let [_, second, ..] = given[..]
            && let Some(attribute) = element.attribute(second)
        {
            log.fault(attribute.place, format!("the rotation is given twice, by {}", given.join(" and ")), "keep one");
        }
        let rotation = match *given.first()? {
            "quat" => element.quaternion(log, "quat")?,
            "axisangle" => {
                let [x, y, z, angle] = element.numbers(log, "axisangle")?;
                let axis = DVec3::new(x, y, z).try_normalize();
                if axis.is_none() {
                    log.fault(element.place, "`axisangle` has an axis of no length", "give a direction and an angle");
                }
                DQuat::from_axis_angle(axis?, self.angle(angle))
            }
            "euler" => self.euler_rotation(element.numbers(log, "euler")?),
            "xyaxes" => {
                let [a, b, c, d, e, f] = element.numbers(log, "xyaxes")?;
                let x = DVec3::new(a, b, c).try_normalize();
                let y = x.and_then(|x| DVec3::new(d, e, f).reject_from_normalized(x).try_normalize());
                let (Some(x), Some(y)) = (x, y) else {
                    log.fault(element.place, "`xyaxes` spans no plane", "give two directions");
                    return None;
                };
                DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
            }
            _ => z_to(element.direction(log, "zaxis")?),
        };
        Some(rotation.normalize())
    }

    /// Lower case turns with the body, upper case about axes that stay.
    fn euler_rotation(&self, angles: [f64; 3]) -> DQuat {
        let mut rotation = DQuat::IDENTITY;
        for (axis, angle) in self.euler.into_iter().zip(angles) {
            let angle = self.angle(angle);
            let turn = match axis.to_ascii_lowercase() {
                'x' => DQuat::from_rotation_x(angle),
                'y' => DQuat::from_rotation_y(angle),
                _ => DQuat::from_rotation_z(angle),
            };
            rotation = if axis.is_lowercase() { rotation * turn } else { turn * rotation };
        }
        rotation
    }
}

/// The shortest rotation that takes z to a direction of unit length.
pub(super) fn z_to(direction: DVec3) -> DQuat {
    DQuat::from_rotation_arc(DVec3::Z, direction).normalize()
}
