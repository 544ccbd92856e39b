//! Axes.

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Scale {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Its ends, if they shall not follow from the points.
    pub ends: Option<[f64; 2]>,
    /// Most decades a logarithmic axis shows, from the largest value down; what lies below is drawn at the edge.
    pub decades: Option<f64>,
    /// On a logarithmic axis: what is below this, zero included, is drawn here.
    pub floor: Option<f64>,
    /// Linear up to about this size and logarithmic beyond it, in both directions: for numbers of either sign and of
    /// very different sizes.
    pub linear_below: Option<f64>,
    /// Names at 0, 1, 2 …, if the axis is one of names.
    pub names: Vec<String>,
}

impl Scale {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true, ..Self::default() }
    }

    /// A logarithmic axis for sizes that may be zero: it reaches from the largest down to the smallest that is not,
    /// but no further than to `share` of the largest; what is smaller is drawn at its lower end, which says so.
    pub fn sizes(label: impl Into<String>, values: impl IntoIterator<Item = f64>, share: f64) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|x| x.is_finite()).collect();
        let sizes = values.iter().filter(|x| **x > 0.0);
        let [low, high] = sizes.fold([f64::INFINITY, 0.0], |[low, high], &x| [f64::min(low, x), f64::max(high, x)]);
        let floor = if high > 0.0 { 10_f64.powf(low.max(share * high).log10().floor()) } else { 1.0 };
        let needed = values.iter().any(|x| *x < floor);
        Self { floor: needed.then_some(floor), ..Self::log(label) }
    }

    /// An axis that is linear up to about `size` and logarithmic beyond it, in both directions.
    pub fn signed(label: impl Into<String>, size: f64) -> Self {
        Self { linear_below: Some(size), ..Self::linear(label) }
    }

    /// An axis with a name at 0, 1, 2 …; on the axis up, the first name is on top.
    pub fn names(names: Vec<String>) -> Self {
        Self { names, ..Self::default() }
    }

    /// Sets the ends.
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.ends = Some([low, high]);
        self
    }

    /// Sets the most decades shown.
    pub fn decades(mut self, most: f64) -> Self {
        self.decades = Some(most);
        self
    }

    /// A value in the units of the axis.
    pub(crate) fn value(&self, x: f64) -> f64 {
        if let Some(size) = self.linear_below {
            return x.signum() * (x.abs() / size).ln_1p() / std::f64::consts::LN_10;
        }
        match (self.log, self.floor) {
            (false, _) => x,
            // `max` would turn NaN into the floor.
            (true, Some(floor)) if x < floor => floor.log10(),
            (true, _) => x.log10(),
        }
    }

    /// Ends in the units of the axis.
    pub(crate) fn span(&self, points: impl Iterator<Item = f64>) -> [f64; 2] {
        if !self.names.is_empty() {
            return [-0.6, self.names.len() as f64 - 0.4];
        }
        if let Some(ends) = self.ends {
            return ends.map(|x| self.value(x));
        }
        let values = points.map(|x| self.value(x)).filter(|x| x.is_finite());
        let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        match (self.log, low < high) {
            (true, _) if low.is_finite() => self.whole_decades(low, high),
            (false, true) => [low, high],
            (false, false) if low.is_finite() => [low - 0.5 * low.abs().max(1.0), low + 0.5 * low.abs().max(1.0)],
            _ => [0.0, 1.0],
        }
    }

    fn whole_decades(&self, low: f64, high: f64) -> [f64; 2] {
        let high = high.ceil().max(low.floor() + 1.0);
        let least = self.decades.map_or(f64::NEG_INFINITY, |decades| high - decades.max(1.0));
        [low.floor().max(least), high]
    }

    /// Ticks in the units of the axis, with their labels.
    pub(crate) fn ticks(&self, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            return self.names.iter().enumerate().map(|(index, name)| (index as f64, name.clone())).collect();
        }
        if self.log {
            let mut ticks = log_ticks(low, high);
            let floor = self.floor.map(f64::log10);
            for tick in ticks.iter_mut().filter(|(at, _)| floor.is_some_and(|floor| (at - floor).abs() < 1e-9)) {
                tick.1.insert(0, '≤');
            }
            return ticks;
        }
        if let Some(size) = self.linear_below {
            return self.signed_ticks(size, [low, high]);
        }
        let rough = (high - low) / 6.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * unit >= rough).unwrap_or(10.0);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|k| (k as f64 * step, short(k as f64 * step, step))).collect()
    }
}

impl Scale {
    /// Zero, and powers of ten on both sides that are not too near to it or to each other.
    fn signed_ticks(&self, size: f64, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        let farthest = low.abs().max(high.abs());
        let every = ((high - low) / 6.0).ceil().max(1.0) as usize;
        let first = size.log10().ceil() as i32;
        let powers: Vec<i32> = (first..first + farthest.ceil() as i32 + 1).collect();
        let one_side = |sign: f64| {
            let place = move |power: &i32| self.value(sign * 10_f64.powi(*power));
            let label = move |power: &i32| format!("{}{}", if sign < 0.0 { "−" } else { "" }, power_label(*power));
            powers.iter().rev().step_by(every).map(move |power| (place(power), label(power)))
        };
        let near = 0.06 * (high - low);
        let sides = one_side(-1.0).chain(one_side(1.0)).filter(move |(place, _)| place.abs() > near);
        let all = std::iter::once((0.0, "0".to_owned())).chain(sides);
        all.filter(|(place, _)| (low..=high).contains(place)).collect()
    }
}

/// Powers of ten; with twos and fives between them where there are few.
fn log_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let every = (((high - low) / 8.0).ceil() as i32).max(1);
    if high - low > 1.5 {
        let powers = (low.ceil() as i32..=high.floor() as i32).filter(|power| power % every == 0);
        return powers.map(|power| (f64::from(power), power_label(power))).collect();
    }
    let powers = low.floor() as i32..=high.ceil() as i32;
    let values = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let ticks = values.map(|value| (value.log10(), short(value, value)));
    ticks.filter(|(place, _)| (low - 1e-9..=high + 1e-9).contains(place)).collect()
}

fn power_label(power: i32) -> String {
    if let 0 | 1 = power {
        return 10_i32.pow(power as u32).to_string();
    }
    let digits: String = power.to_string().chars().map(superscript).collect();
    format!("10{digits}")
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|value| char::from_u32(0x2070 + value)).unwrap_or(digit),
    }
}

/// A number with as many digits as steps of this size need, as a power of ten where that would be too many.
fn short(x: f64, step: f64) -> String {
    if x != 0.0 && !(1e-5..1e6).contains(&step.abs()) {
        return format!("{x:.3e}").replace(".000", "").replace("00e", "e");
    }
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale, span: [f64; 2]) -> Vec<String> {
        scale.ticks(span).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_at_any_size() {
        assert_eq!(labels(&Scale::linear(""), [0.0, 6.0]), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(&Scale::linear(""), [-0.2, 0.2]), ["-0.2", "-0.1", "0", "0.1", "0.2"]);
        assert_eq!(labels(&Scale::linear(""), [0.0, 4e-9]), ["0", "1e-9", "2e-9", "3e-9", "4e-9"]);
        assert_eq!(labels(&Scale::log(""), [-2.0, 1.0]), ["10⁻²", "10⁻¹", "1", "10"]);
        assert_eq!(labels(&Scale::log(""), [0.0, 1.0]), ["1", "2", "5", "10"]);
    }

    #[test]
    fn signed_axes_are_logarithmic_both_ways_through_zero() {
        let scale = Scale::signed("", 1e-2);
        let at = |x: f64| scale.value(x);
        assert_eq!(at(0.0), 0.0);
        assert_eq!(at(-5.0), -at(5.0));
        assert!((at(1000.0) - at(100.0) - 1.0).abs() < 1e-3 && at(1e-3) > 0.0);
        assert_eq!(labels(&scale, [at(-1000.0), at(10.0)]), ["0", "−10²", "−1", "1"]);
    }

    #[test]
    fn a_span_holds_all_points_and_is_never_empty() {
        assert_eq!(Scale::linear("").span([3.0, -1.0, f64::NAN].into_iter()), [-1.0, 3.0]);
        assert_eq!(Scale::linear("").span([2.0].into_iter()), [1.0, 3.0]);
        assert_eq!(Scale::linear("").span(std::iter::empty()), [0.0, 1.0]);
        assert_eq!(Scale::log("").span([20.0].into_iter()), [1.0, 2.0]);
        // Zero is drawn at the floor, which says so; NaN is not drawn.
        let sizes = Scale::sizes("", [0.0, 1e-20, 2e-6, 0.5], 1e-9);
        assert_eq!((sizes.floor, sizes.value(0.0)), (Some(1e-10), -10.0));
        assert!(sizes.value(f64::NAN).is_nan());
        assert_eq!(labels(&sizes, sizes.span([0.0, 0.5].into_iter()))[0], "≤10⁻¹⁰");
        assert_eq!(Scale::sizes("", [2e-6, 0.5], 1e-9).floor, None);
        assert_eq!(Scale::sizes("", [0.0], 1e-9).span([0.0].into_iter()), [0.0, 1.0]);
        assert_eq!(Scale::log("").decades(3.0).span([1e-9, 50.0].into_iter()), [-1.0, 2.0]);
    }
}
