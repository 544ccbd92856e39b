//! Colours that sit well together on a light ground.

/// Red, green and blue, sRGB from 0 to 1.
pub type Color = [f32; 3];

/// Of surroundings.
pub(super) const GROUND: Color = hex(0xd6_d3_cc);
/// Of bodies that never move.
pub(super) const STATIC: Color = hex(0xa9_a8_a4);

/// Of bodies: warm stone and glaze, similar in lightness so that none shouts.
const BODIES: [Color; 8] = [
    hex(0xd9_6c_4f),
    hex(0xe8_ae_55),
    hex(0x4f_9a_94),
    hex(0x55_7f_b8),
    hex(0xeb_dc_bd),
    hex(0x8f_b3_7a),
    hex(0xb5_5d_6c),
    hex(0x8a_78_b0),
];

/// What colours are drawn towards in a crowd, and how far: hundreds of full colours side by side
/// turn to noise.
const STONE: Color = hex(0xcf_bb_9c);
const CALM: f32 = 0.4;
/// Bodies that make a crowd.
const CROWD: usize = 100;

const fn hex(rgb: u32) -> Color {
    [(rgb >> 16 & 255) as f32 / 255.0, (rgb >> 8 & 255) as f32 / 255.0, (rgb & 255) as f32 / 255.0]
}

/// The colour of a body among `count`. Neighbouring indices differ, and no short period shows in a
/// regular scene: the golden ratio spreads consecutive indices evenly over the palette.
pub(super) fn of_body(body: u32, count: usize) -> Color {
    let spread = body.wrapping_mul(0x9e37_79b9) >> 29;
    let color = BODIES[spread as usize];
    let calm = if count > CROWD { CALM } else { 0.0 };
    std::array::from_fn(|k| color[k] + calm * (STONE[k] - color[k]))
}

/// From sRGB to linear light.
pub fn linear(color: Color) -> Color {
    color.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}
