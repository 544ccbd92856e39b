//! Sums by label that come out the same in whatever order their parts arrive: whole numbers of 96 bits, added word by word with carries.

use cubecl::prelude::*;
use drystone_device::UNITS;

/// Words of a sum, the lowest first.
pub const SUM_WORDS: u32 = 3;
/// What has no label adds to no sum.
pub const NO_LABEL: u32 = u32::MAX;
/// Numbers above one word.
const WORD: f32 = 4_294_967_296.0;
/// Largest part of a sum: eight million of them have room.
const LARGEST: f32 = WORD * WORD * 256.0;
/// Units that add up one number of a workgroup.
const PARTS: u32 = 8;
/// Labels that a workgroup adds up by itself before its units go on one by one.
const ROUNDS: u32 = 2;

/// Adds to a word; one if it wrapped around.
#[cube]
fn add_word(sums: &mut Array<Atomic<u32>>, at: u32, part: u32) -> u32 {
    let before = sums[at as usize].fetch_add(part);
    let mut carry = 0u32;
    if before > u32::MAX - part {
        carry = 1u32;
    }
    carry
}

/// Adds a number to the sum at `at`. What it has below one is left out.
#[cube]
fn add_exactly(sums: &mut Array<Atomic<u32>>, at: u32, value: f32) {
    let size = value.abs().min(LARGEST);
    let high = (size * (1.0 / (WORD * WORD))).floor();
    let rest = size - high * (WORD * WORD);
    let middle = (rest * (1.0 / WORD)).floor();
    let low = rest - middle * WORD;
    let mut w0 = low as u32;
    let mut w1 = middle as u32;
    let mut w2 = high as u32;
    if value < 0.0 {
        // The complement of two.
        w0 = (w0 ^ u32::MAX) + 1u32;
        w1 = w1 ^ u32::MAX;
        w2 = w2 ^ u32::MAX;
        if w0 == 0u32 {
            w1 += 1u32;
            if w1 == 0u32 {
                w2 += 1u32;
            }
        }
    }
    let mut carry = 0u32;
    if w0 != 0u32 {
        carry = add_word(sums, at, w0);
    }
    let mut more = 0u32;
    if w1 != 0u32 {
        more = add_word(sums, at + 1u32, w1);
    }
    if carry != 0u32 {
        more += add_word(sums, at + 1u32, carry);
    }
    if w2 + more != 0u32 {
        add_word(sums, at + 2u32, w2 + more);
    }
}

/// A sum as a number.
#[cube]
pub fn total(sums: &Array<u32>, at: u32) -> f32 {
    let mut w0 = sums[at as usize];
    let mut w1 = sums[(at + 1u32) as usize];
    let mut w2 = sums[(at + 2u32) as usize];
    let mut sign = f32::new(1.0);
    if w2 >= 0x8000_0000u32 {
        sign = -sign;
        w0 = (w0 ^ u32::MAX) + 1u32;
        w1 = w1 ^ u32::MAX;
        w2 = w2 ^ u32::MAX;
        if w0 == 0u32 {
            w1 += 1u32;
            if w1 == 0u32 {
                w2 += 1u32;
            }
        }
    }
    sign * (w2 as f32 * (WORD * WORD) + w1 as f32 * WORD + w0 as f32)
}

/// Adds the numbers of every unit to the sums of its label, those of sum `k` at `k` times the units in `values`. A workgroup adds up what has the
/// same label before it goes to the sums: large groups would have all units wait for one word. Every unit of the workgroup must come along.
#[cube]
pub fn add_by_label(
    label: u32,
    values: &SharedMemory<f32>,
    sums: &mut Array<Atomic<u32>>,
    record: u32,
    first: u32,
    #[comptime] numbers: u32,
) {
    let mut labels = SharedMemory::<u32>::new(UNITS as usize);
    let least = SharedMemory::<Atomic<u32>>::new(ROUNDS as usize);
    let mut parts = SharedMemory::<f32>::new(UNITS as usize);
    let number = UNIT_POS / PARTS;
    let part = UNIT_POS % PARTS;
    let mut mine = label;
    if UNIT_POS < ROUNDS {
        least[UNIT_POS as usize].store(u32::MAX);
    }
    sync_cube();
    for round in 0..ROUNDS {
        labels[UNIT_POS as usize] = mine;
        if mine != NO_LABEL {
            least[round as usize].fetch_min(mine);
        }
        sync_cube();
        let chosen = least[round as usize].load();
        let adds = chosen != NO_LABEL && number < numbers;
        let mut sum = f32::new(0.0);
        if adds {
            for k in 0..comptime!(UNITS / PARTS) {
                let unit = part + k * PARTS;
                if labels[unit as usize] == chosen {
                    sum += values[(number * UNITS + unit) as usize];
                }
            }
        }
        parts[UNIT_POS as usize] = sum;
        sync_cube();
        if adds && part == 0u32 {
            for k in 1..PARTS {
                sum += parts[(UNIT_POS + k) as usize];
            }
            add_exactly(sums, chosen * record + first + SUM_WORDS * number, sum);
        }
        if mine == chosen {
            mine = NO_LABEL.runtime();
        }
    }
    if mine != NO_LABEL {
        for k in 0..numbers {
            add_exactly(sums, mine * record + first + SUM_WORDS * k, values[(k * UNITS + UNIT_POS) as usize]);
        }
    }
}

/// Numbers by which parts of sums are multiplied, so that what matters is far above one and far below the largest part: powers of two.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub struct Scales {
    /// Of masses \[1/kg\].
    pub mass: f32,
    /// Of forces \[1/N\].
    pub force: f32,
    /// Of energies \[1/J\].
    pub energy: f32,
    /// Of momenta \[s/(kg·m)\].
    pub momentum: f32,
    /// Of lengths \[1/m\].
    pub length: f32,
}

/// The middle of a sum.
const MIDDLE: f32 = 68_719_476_736.0;

/// The power of two below a number.
fn power(x: f64) -> f64 {
    // What is left of a number without its fraction.
    if x.is_normal() { f64::from_bits(x.abs().to_bits() & 0x7ff0_0000_0000_0000) } else { 1.0 }
}

impl Scales {
    /// For a heaviest body \[kg\], a speed \[m/s\] and a length \[m\], and steps of `h` seconds.
    pub fn launch<R: Runtime>(mass: f64, speed: f64, length: f64, h: f64) -> ScalesLaunch<R> {
        let [mass, speed, length, h] = [mass, speed, length, h].map(power);
        let of = |unit: f64| (f64::from(MIDDLE) / unit) as f32;
        ScalesLaunch::new(
            of(mass),
            of(mass * speed / h),
            of(mass * speed * speed),
            of(mass * speed),
            (1.0 / length) as f32,
        )
    }
}
