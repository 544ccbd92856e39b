//! What a user may ask for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A command, as `{"do": "…"}` with its fields. Places are in metres relative to the origin of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Lets time pass.
    Play {},
    /// Stops it.
    Pause {},
    /// Takes steps, paused.
    Step {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes steps back.
    Back {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes to a step.
    Seek {
        /// The step.
        step: u64,
    },
    /// Sets how fast time passes.
    Speed {
        /// Multiple of real time; 0 means as fast as it can.
        factor: f64,
    },
    /// Begins the scene anew.
    Reset {},
    /// Asks what a ray meets first.
    Pick {
        /// Where it begins \[m\].
        origin: [f64; 3],
        /// Where it goes.
        direction: [f64; 3],
    },
    /// Holds a point of a body or a particle: what a ray meets first, or a point of the world, or of the body.
    Grab {
        /// Where the ray begins \[m\].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<[f64; 3]>,
        /// Where it goes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        direction: Option<[f64; 3]>,
        /// The body.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<u32>,
        /// The particle, in place of a body.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        particle: Option<u32>,
        /// The point of the world \[m\].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        point: Option<[f64; 3]>,
        /// The point in the frame of the body \[m\]; its centre of mass if no point is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<[f64; 3]>,
    },
    /// Moves what the held point is drawn to.
    Drag {
        /// Where to \[m\].
        target: [f64; 3],
    },
    /// Lets go.
    Release {},
    /// Changes the momentum of a body at once.
    Push {
        /// The body.
        body: u32,
        /// The impulse \[N·s\].
        impulse: [f64; 3],
        /// Where \[m\]; at the centre of mass if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        point: Option<[f64; 3]>,
    },
    /// Adds a ball.
    Throw {
        /// Where it begins \[m\].
        origin: [f64; 3],
        /// How fast \[m/s\].
        velocity: [f64; 3],
        /// Its radius \[m\]; by the size of the scene if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        radius: Option<f64>,
        /// Its density \[kg/m³\]; that of water if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        density: Option<f64>,
    },
    /// Removes a body.
    Delete {
        /// The body.
        body: u32,
    },
    /// Makes a body static where it is.
    Freeze {
        /// The body.
        body: u32,
    },
    /// Lets a frozen body move again.
    Thaw {
        /// The body.
        body: u32,
    },
    /// Wakes a body and its group.
    Wake {
        /// The body.
        body: u32,
    },
    /// Sets what a drive aims at.
    Joint {
        /// The joint.
        joint: u32,
        /// The axis, `lin_x` to `ang_z`.
        axis: String,
        /// The coordinate \[m or rad\].
        target: f64,
    },
    /// Sets the gravity of all worlds.
    Gravity {
        /// The acceleration \[m/s²\].
        value: [f64; 3],
    },
    /// Sets the friction of all materials.
    Friction {
        /// Multiple of that of the scene.
        factor: f64,
    },
    /// Sets the time step.
    Dt {
        /// The time step \[s\].
        seconds: f64,
    },
    /// Sets an option of the solver.
    Option {
        /// Its name; `avbd.alpha` is `alpha` in the group `avbd`.
        key: String,
        /// Its value.
        value: Value,
    },
    /// Goes on with another solver.
    Solver {
        /// Its name.
        name: String,
        /// Its options.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        options: Map<String, Value>,
    },
    /// Begins another scene.
    Scene {
        /// Its name.
        name: String,
        /// Its parameters.
        #[serde(default)]
        parameters: Map<String, Value>,
    },
    /// Runs a second simulation beside, from here on; none ends it.
    Compare {
        /// The solver of the second.
        solver: Option<String>,
        /// Its options.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        options: Map<String, Value>,
    },
    /// Says what frames carry.
    Show(ShowChange),
    /// Begins or ends a recording.
    Record {
        /// Whether to record.
        on: bool,
    },
}

impl Command {
    /// Whether it changes the motion and so belongs into the log.
    pub fn changes_motion(&self) -> bool {
        use Command::{
            Compare, Delete, Drag, Dt, Freeze, Friction, Grab, Gravity, Joint, Option, Push, Release, Solver, Thaw,
            Throw, Wake,
        };
        matches!(
            self,
            Grab { .. }
                | Drag { .. }
                | Release {}
                | Push { .. }
                | Throw { .. }
                | Delete { .. }
                | Freeze { .. }
                | Thaw { .. }
                | Wake { .. }
                | Joint { .. }
                | Gravity { .. }
                | Friction { .. }
                | Dt { .. }
                | Option { .. }
                | Solver { .. }
                | Compare { .. }
        )
    }
}

/// What frames carry besides poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Show {
    /// Contact points with their forces.
    pub contacts: bool,
    /// Velocities.
    pub velocities: bool,
    /// Islands and colours.
    pub groups: bool,
    /// Bounding boxes.
    pub bounds: bool,
}

/// A change of [`Show`]; what is absent stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShowChange {
    /// See [`Show::contacts`].
    pub contacts: Option<bool>,
    /// See [`Show::velocities`].
    pub velocities: Option<bool>,
    /// See [`Show::groups`].
    pub groups: Option<bool>,
    /// See [`Show::bounds`].
    pub bounds: Option<bool>,
}

impl Show {
    /// With a change.
    pub fn with(self, change: ShowChange) -> Self {
        Self {
            contacts: change.contacts.unwrap_or(self.contacts),
            velocities: change.velocities.unwrap_or(self.velocities),
            groups: change.groups.unwrap_or(self.groups),
            bounds: change.bounds.unwrap_or(self.bounds),
        }
    }
}

fn one() -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_written_as_documented() {
        for text in [
            r#"{"do":"play"}"#,
            r#"{"do":"grab","body":4,"at":[0.0,0.5,0.0]}"#,
            r#"{"do":"grab","particle":7}"#,
            r#"{"do":"option","key":"avbd.alpha","value":0.9}"#,
            r#"{"do":"compare","solver":null}"#,
        ] {
            let command: Command = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&command).unwrap(), text);
        }
        assert_eq!(serde_json::from_str::<Command>(r#"{"do":"step"}"#).unwrap(), Command::Step { count: 1 });
        let show = serde_json::from_str::<Command>(r#"{"do":"show","contacts":true}"#).unwrap();
        assert_eq!(show, Command::Show(ShowChange { contacts: Some(true), ..ShowChange::default() }));
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        for (text, word) in [
            (r#"{"do":"fly"}"#, "fly"),
            (r#"{"do":"seek","stop":3}"#, "stop"),
            (r#"{"do":"seek"}"#, "step"),
            (r#"{"do":"play","now":true}"#, "now"),
            (r#"{"step":3}"#, "do"),
            (r#"{"do":"drag","target":[1,2]}"#, "length"),
        ] {
            let error = serde_json::from_str::<Command>(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
