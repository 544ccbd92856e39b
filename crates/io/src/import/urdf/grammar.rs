//! What URDF files may hold, and what becomes of it.

use super::super::grammar::Fate::{Looks, Noted, Read, Refused};
use super::super::grammar::{Fate, Names, Rule};

const OTHER_PROGRAMS: Fate = Noted("for other programs; left out");
const NO_SPEED_LIMIT: &str = "soft limits of a controller; left out";

const POSE: &[Names] = &[(Read, &["xyz", "rpy"])];
const NOTHING: &[Names] = &[];

/// The elements that are read.
pub(super) const RULES: &[Rule] = &[
    Rule {
        element: "robot",
        attributes: &[(Read, &["name"]), (Looks, &["version", "schemaLocation"])],
        children: &[
            (Read, &["link", "joint"]),
            (Looks, &["material"]),
            (
                OTHER_PROGRAMS,
                &["transmission", "gazebo", "mujoco", "sensor", "ros2_control", "frame", "group", "plugin"],
            ),
            (Noted("pairs that never collide are read from joints only; left out"), &["disable_collisions"]),
            (
                Refused("a spring or tie that closes a loop", "add the joint to the model by hand"),
                &["loop_joint", "constraint"],
            ),
        ],
    },
    Rule {
        element: "link",
        attributes: &[(Read, &["name"]), (Looks, &["type", "concave"])],
        children: &[
            (Read, &["inertial", "collision"]),
            (Looks, &["visual"]),
            (
                Noted("contact settings of another program; left out"),
                &[
                    "contact",
                    "self_collision_checking",
                    "audio_source",
                    "sensor",
                    "gravity",
                    "kinematic",
                    "self_filter",
                    "surface",
                    "collision_checking",
                    "origin",
                ],
            ),
        ],
    },
    Rule {
        element: "inertial",
        attributes: &[(Looks, &["name"])],
        children: &[(Read, &["origin", "mass", "inertia"])],
    },
    Rule { element: "origin", attributes: POSE, children: NOTHING },
    Rule { element: "mass", attributes: &[(Read, &["value"])], children: NOTHING },
    Rule { element: "inertia", attributes: &[(Read, &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"])], children: NOTHING },
    Rule {
        element: "collision",
        attributes: &[
            (Read, &["name"]),
            (Looks, &["concave"]),
            (Noted("groups of another program; left out"), &["group", "mask"]),
        ],
        children: &[(Read, &["origin", "geometry"]), (Looks, &["material", "verbose"])],
    },
    Rule {
        element: "geometry",
        attributes: &[(Looks, &["name"])],
        children: &[
            (Read, &["box", "cylinder", "sphere", "capsule", "mesh"]),
            (
                Refused("a shape that is not read", "use box, cylinder, sphere, capsule or mesh"),
                &["plane", "cdf", "sdf"],
            ),
        ],
    },
    Rule { element: "box", attributes: &[(Read, &["size"])], children: NOTHING },
    Rule { element: "cylinder", attributes: &[(Read, &["radius", "length"])], children: NOTHING },
    Rule { element: "capsule", attributes: &[(Read, &["radius", "length"])], children: NOTHING },
    Rule { element: "sphere", attributes: &[(Read, &["radius"])], children: NOTHING },
    Rule { element: "mesh", attributes: &[(Read, &["filename", "scale"])], children: NOTHING },
    Rule {
        element: "joint",
        attributes: &[(Read, &["name", "type"]), (Looks, &["dont_collapse"])],
        children: &[
            (Read, &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"]),
            (Noted(NO_SPEED_LIMIT), &["safety_controller", "calibration"]),
            (OTHER_PROGRAMS, &["hardwareInterface", "physics", "gearing", "joint_properties"]),
        ],
    },
    Rule { element: "parent", attributes: &[(Read, &["link"])], children: NOTHING },
    Rule { element: "child", attributes: &[(Read, &["link"])], children: NOTHING },
    Rule {
        element: "axis",
        attributes: &[(Read, &["xyz"]), (Noted("an axis has a direction only; left out"), &["rpy"])],
        children: NOTHING,
    },
    Rule {
        element: "limit",
        attributes: &[
            (Read, &["lower", "upper", "effort", "velocity"]),
            (
                Noted("limits of a planner; left out"),
                &["acceleration", "jerk", "deceleration", "command_effort", "current", "gear_velocity", "twist"],
            ),
        ],
        children: NOTHING,
    },
    Rule {
        element: "dynamics",
        attributes: &[
            (Read, &["damping", "friction"]),
            (
                Noted("settings of another program; left out"),
                &["spring_reference", "spring_stiffness", "mu", "D", "K", "mu_coulomb", "mu_viscous"],
            ),
        ],
        children: NOTHING,
    },
    Rule { element: "mimic", attributes: &[(Read, &["joint", "multiplier", "offset"])], children: NOTHING },
];
