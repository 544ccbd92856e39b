//! Defaults of actuators: one slot that all their kinds share.

use super::super::fault::Log;
use super::super::xml::Element;

/// Everything the kinds of actuators share. MuJoCo turns the shortcuts (`motor`, `position`, `velocity`) into gains and
/// biases of one general actuator as it reads them, defaults included; a shortcut after another starts from the beginning.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The shortcut that was last read.
    pub(super) shortcut: Option<String>,
    /// Force per control.
    pub(super) gain: f64,
    /// Force: constant, per length, per speed; none of it if the bias is switched off.
    pub(super) bias: [f64; 3],
    pub(super) has_bias: bool,
    pub(super) gear: Vec<f64>,
    pub(super) inherit_range: f64,
    pub(super) armature: f64,
    pub(super) damping: f64,
    /// The element with all attributes read so far, for ranges and refusals.
    pub(super) merged: Element,
}

impl Default for Slot {
    fn default() -> Self {
        Self {
            shortcut: None,
            gain: 1.0,
            bias: [0.0; 3],
            has_bias: false,
            gear: vec![1.0],
            inherit_range: 0.0,
            armature: 0.0,
            damping: 0.0,
            merged: Element {
                name: String::new(),
                place: Default::default(),
                attributes: Vec::new(),
                children: Vec::new(),
            },
        }
    }
}

impl Slot {
    /// Takes over what an element says.
    pub(super) fn apply(&mut self, element: &Element, log: &mut Log) {
        for attribute in &element.attributes {
            self.merged.attributes.retain(|known| known.name != attribute.name);
            self.merged.attributes.push(attribute.clone());
        }
        if let Some(gear) = element.list(log, "gear") {
            self.gear = gear;
        }
        let mut take = |name: &str, value: &mut f64| {
            *value = element.list(log, name).and_then(|list| list.first().copied()).unwrap_or(*value)
        };
        take("inheritrange", &mut self.inherit_range);
        take("armature", &mut self.armature);
        take("damping", &mut self.damping);
        match element.name.as_str() {
            "general" => self.general(element, log),
            "motor" | "position" | "velocity" => self.shortcut(element, log),
            _ => {}
        }
    }

    fn general(&mut self, element: &Element, log: &mut Log) {
        if let Some(&gain) = element.list(log, "gainprm").as_deref().and_then(<[f64]>::first) {
            self.gain = gain;
        }
        for (own, given) in self.bias.iter_mut().zip(element.list(log, "biasprm").unwrap_or_default()) {
            *own = given;
        }
        match element.text_of("biastype") {
            Some("affine") => self.has_bias = true,
            Some("none") => self.has_bias = false,
            _ => {}
        }
    }

    fn shortcut(&mut self, element: &Element, log: &mut Log) {
        if self.shortcut.as_deref().is_some_and(|last| last != element.name) {
            (self.gain, self.bias, self.has_bias) = (1.0, [0.0; 3], false);
        }
        self.shortcut = Some(element.name.clone());
        match element.name.as_str() {
            "motor" => (self.gain, self.bias, self.has_bias) = (1.0, [0.0; 3], false),
            "position" => {
                self.gain = element.number(log, "kp").unwrap_or(self.gain);
                // A damping ratio stands where the damping would, with the other sign.
                let ratio = element.number(log, "dampratio").unwrap_or(self.bias[2]);
                let damping = element.number(log, "kv").map_or(ratio, |kv| -kv);
                (self.bias, self.has_bias) = ([0.0, -self.gain, damping], true);
            }
            _ => {
                self.gain = element.number(log, "kv").unwrap_or(self.gain);
                (self.bias, self.has_bias) = ([0.0, 0.0, -self.gain], true);
            }
        }
    }
}
