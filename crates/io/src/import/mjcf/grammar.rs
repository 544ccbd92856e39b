//! What MJCF files may hold (the schema MuJoCo 4.0.1 prints), and what becomes of it.

use super::super::grammar::Fate::{Looks, Noted, Read, Refused};
use super::super::grammar::{Fate, Names, Rule};
use super::defaults::ACTUATORS;

const SOFT: Fate = Noted("joints, limits and contacts are hard; left out");
const NUMERICS: Fate = Looks;
const NOTHING: &[Names] = &[];
const PLUGIN: Names =
    (Refused("plugins are programs of their own", "remove it, and compute its forces yourself"), &["plugin"]);
const DEFORMABLE: Fate = Refused("deformable bodies of MJCF are not read", "remove them");
const GENERATED: Fate =
    Refused("generated bodies are not read", "write them out: let MuJoCo save the model and read that file");

const POSE: &[&str] = &["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"];

const BODY_CHILDREN: &[Names] = &[
    (Read, &["inertial", "joint", "freejoint", "geom", "site", "body", "frame", "replicate"]),
    (Looks, &["camera", "light"]),
    PLUGIN,
    (DEFORMABLE, &["flexcomp"]),
    (GENERATED, &["composite", "attach"]),
];

const JOINT: &[Names] = &[
    (
        Read,
        &[
            "name",
            "class",
            "type",
            "pos",
            "axis",
            "range",
            "limited",
            "ref",
            "springref",
            "stiffness",
            "damping",
            "springdamper",
            "frictionloss",
            "armature",
            "actuatorfrcrange",
            "actuatorfrclimited",
        ],
    ),
    (SOFT, &["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"]),
    (Noted("gravity compensation acts on the body, not through its actuators"), &["actuatorgravcomp"]),
    (Refused("springs that yield cannot be said", "remove it"), &["springyield"]),
    (Looks, &["group", "user"]),
];

const GEOM: &[Names] = &[
    (
        Read,
        &[
            "name",
            "class",
            "type",
            "size",
            "fromto",
            "mesh",
            "hfield",
            "mass",
            "density",
            "shellinertia",
            "contype",
            "conaffinity",
            "condim",
            "friction",
            "margin",
            "priority",
            "group",
            "solref",
            "solimp",
            "adhesion",
            "surfacevel",
            "fluidshape",
            "fitscale",
        ],
    ),
    (Read, POSE),
    (Looks, &["material", "rgba", "user", "castshadow", "solmix", "gap", "fluidcoef"]),
];

const SITE: &[Names] = &[
    (Read, &["name", "class", "fromto"]),
    (Read, POSE),
    (Looks, &["type", "size", "material", "rgba", "group", "user", "mesh"]),
];

const ACTUATOR: &[Names] = &[
    (
        Read,
        &[
            "name",
            "class",
            "joint",
            "jointinparent",
            "tendon",
            "site",
            "refsite",
            "body",
            "cranksite",
            "slidersite",
            "gear",
            "ctrlrange",
            "ctrllimited",
            "forcerange",
            "forcelimited",
            "kp",
            "kv",
            "dampratio",
            "timeconst",
            "inheritrange",
            "gaintype",
            "biastype",
            "dyntype",
            "gainprm",
            "biasprm",
            "dynprm",
            "armature",
            "damping",
            "delay",
            "nsample",
            "actearly",
            "actlimited",
            "actrange",
        ],
    ),
    (Looks, &["group", "user", "interp", "actdim", "cranklength", "lengthrange", "input", "velrange", "ffrange"]),
];

const TENDON: &[Names] = &[
    (
        Read,
        &[
            "name",
            "class",
            "range",
            "limited",
            "stiffness",
            "damping",
            "frictionloss",
            "armature",
            "actuatorfrcrange",
            "actuatorfrclimited",
            "springlength",
            "springyield",
        ],
    ),
    (SOFT, &["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"]),
    (Looks, &["group", "user", "material", "rgba", "width"]),
];

const EQUALITY: &[Names] = &[
    (Read, &["name", "class", "active", "body1", "body2", "site1", "site2", "anchor", "relpose"]),
    (Looks, &["solref", "solimp", "torquescale"]),
];

macro_rules! rule {
    ($element:literal, $attributes:expr, $children:expr) => {
        Rule { element: $element, attributes: $attributes, children: $children }
    };
}

/// The elements that are read.
pub(super) const RULES: &[Rule] = &[
    rule!(
        "mujoco",
        &[(Read, &["model"])],
        &[
            (
                Read,
                &[
                    "compiler",
                    "option",
                    "default",
                    "asset",
                    "worldbody",
                    "contact",
                    "tendon",
                    "equality",
                    "actuator",
                    "deformable",
                    "keyframe"
                ]
            ),
            (Looks, &["size", "visual", "statistic", "custom"]),
            (Noted("sensors are not read: ask the state"), &["sensor"]),
            (Refused("plugins are programs of their own", "remove it"), &["extension"]),
        ]
    ),
    rule!(
        "compiler",
        &[
            (
                Read,
                &[
                    "angle",
                    "eulerseq",
                    "autolimits",
                    "inertiafromgeom",
                    "balanceinertia",
                    "boundmass",
                    "boundinertia",
                    "settotalmass",
                    "inertiagrouprange",
                    "assetdir",
                    "meshdir",
                    "strippath",
                    "coordinate",
                    "alignfree",
                    "fitaabb",
                ],
            ),
            (
                Looks,
                &[
                    "conflict",
                    "discardvisual",
                    "fusestatic",
                    "passthrough",
                    "savecanonical",
                    "savecompiled",
                    "saveinertial",
                    "texturedir",
                    "usethread",
                    "convexhull",
                    "exactmeshinertia",
                ],
            ),
        ],
        &[(Looks, &["lengthrange"])]
    ),
    rule!(
        "option",
        &[
            (Read, &["gravity", "timestep", "density", "viscosity", "wind"]),
            (
                NUMERICS,
                &[
                    "actuatorgroupdisable",
                    "ccd_iterations",
                    "ccd_tolerance",
                    "cone",
                    "impratio",
                    "integrator",
                    "iterations",
                    "jacobian",
                    "ls_iterations",
                    "ls_tolerance",
                    "magnetic",
                    "noslip_iterations",
                    "noslip_tolerance",
                    "sdf_initpoints",
                    "sdf_iterations",
                    "sleep_tolerance",
                    "solver",
                    "tolerance",
                    "o_friction",
                    "o_margin",
                    "o_solimp",
                    "o_solref",
                    "apirate",
                    "mpr_tolerance",
                    "mpr_iterations",
                    "collision",
                ],
            ),
        ],
        &[(Read, &["flag"])]
    ),
    rule!(
        "flag",
        &[
            (
                Read,
                &[
                    "actuation",
                    "clampctrl",
                    "constraint",
                    "contact",
                    "damper",
                    "equality",
                    "filterparent",
                    "frictionloss",
                    "gravity",
                    "limit",
                    "spring",
                ],
            ),
            (
                NUMERICS,
                &[
                    "autoreset",
                    "diagexact",
                    "energy",
                    "eulerdamp",
                    "fwdinv",
                    "invdiscrete",
                    "ipc",
                    "island",
                    "midphase",
                    "multiccd",
                    "nativeccd",
                    "override",
                    "refsafe",
                    "sensor",
                    "sleep",
                    "speculative",
                    "warmstart",
                    "passive",
                    "sensornoise",
                ],
            ),
        ],
        NOTHING
    ),
    rule!(
        "default",
        &[(Read, &["class"])],
        &[
            (Read, &["default", "mesh", "joint", "geom", "site", "pair", "equality", "tendon"]),
            (Read, ACTUATORS.split_at(ACTUATORS.len() - 1).0,),
            (Looks, &["texture", "material", "camera", "light"]),
        ]
    ),
    rule!(
        "asset",
        NOTHING,
        &[(Read, &["mesh", "hfield"]), (Looks, &["texture", "material", "skin"]), (GENERATED, &["model"])]
    ),
    rule!("hfield", &[(Read, &["name", "file", "nrow", "ncol", "size", "elevation", "content_type"])], NOTHING),
    rule!(
        "mesh",
        &[
            (Read, &["name", "class", "file", "vertex", "face", "scale", "refpos", "refquat", "inertia"]),
            (
                Looks,
                &["content_type", "material", "normal", "texcoord", "smoothnormal", "maxhullvert", "builtin", "params"],
            ),
        ],
        &[PLUGIN]
    ),
    rule!("worldbody", &[(Read, &["childclass"]), (Read, POSE), (Looks, &["name"])], BODY_CHILDREN),
    rule!(
        "body",
        &[
            (Read, &["name", "childclass", "gravcomp", "mocap"]),
            (Read, POSE),
            (Looks, &["user", "simple", "sleep", "fuse"])
        ],
        BODY_CHILDREN
    ),
    rule!("frame", &[(Read, &["childclass"]), (Read, POSE), (Looks, &["name"])], BODY_CHILDREN),
    rule!("replicate", &[(Read, &["count", "offset", "euler", "sep", "childclass"])], BODY_CHILDREN),
    rule!("inertial", &[(Read, &["mass", "diaginertia", "fullinertia"]), (Read, POSE)], NOTHING),
    rule!("joint", JOINT, NOTHING),
    rule!(
        "freejoint",
        &[(Read, &["name"]), (Looks, &["group"]), (Noted("body frames stay where the file puts them"), &["align"]),],
        NOTHING
    ),
    rule!("geom", GEOM, &[PLUGIN]),
    rule!("site", SITE, NOTHING),
    rule!("contact", NOTHING, &[(Read, &["pair", "exclude"])]),
    rule!(
        "pair",
        &[
            (Read, &["name", "class", "geom1", "geom2", "condim", "friction", "margin", "solref", "solimp"]),
            (Looks, &["gap", "solreffriction"]),
            (Refused("sticking contacts cannot be said", "remove it"), &["adhesion"]),
        ],
        NOTHING
    ),
    rule!("deformable", NOTHING, &[(Looks, &["skin"]), (DEFORMABLE, &["flex"])]),
    rule!("exclude", &[(Read, &["body1", "body2"]), (Looks, &["name"])], NOTHING),
    rule!("tendon", TENDON, &[(Read, &["spatial", "fixed"])]),
    rule!("spatial", TENDON, &[(Read, &["site", "geom", "pulley"])]),
    rule!("spatial/site", &[(Read, &["site"])], NOTHING),
    rule!("spatial/geom", &[(Read, &["geom", "sidesite"])], NOTHING),
    rule!("fixed", TENDON, &[(Read, &["joint"])]),
    rule!("fixed/joint", &[(Read, &["joint", "coef"])], NOTHING),
    rule!(
        "equality",
        EQUALITY,
        &[
            (Read, &["connect", "weld", "joint", "tendon"]),
            (DEFORMABLE, &["flex", "flexstrain", "flexvert", "distance"])
        ]
    ),
    rule!(
        "equality/joint",
        &[(Read, &["name", "class", "active", "joint1", "joint2", "polycoef"]), (Looks, &["solref", "solimp"])],
        NOTHING
    ),
    rule!(
        "equality/tendon",
        &[(Read, &["name", "class", "active", "tendon1", "tendon2", "polycoef"]), (Looks, &["solref", "solimp"])],
        NOTHING
    ),
    rule!("connect", EQUALITY, NOTHING),
    rule!("weld", EQUALITY, NOTHING),
    rule!("actuator", NOTHING, &[(Read, ACTUATORS,)]),
    rule!("general", ACTUATOR, NOTHING),
    rule!("motor", ACTUATOR, NOTHING),
    rule!("position", ACTUATOR, NOTHING),
    rule!("velocity", ACTUATOR, NOTHING),
    rule!("keyframe", NOTHING, &[(Read, &["key"])]),
    rule!(
        "key",
        &[(Read, &["name", "time", "qpos", "qvel", "ctrl"]), (Looks, &["act", "mpos", "mquat", "plastic"])],
        NOTHING
    ),
];
