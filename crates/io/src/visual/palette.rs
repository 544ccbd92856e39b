//! Colours that sit well together on a light ground.

/// Red, green and blue, sRGB from 0 to 1.
pub type Color = [f32; 3];

/// Of surroundings.
pub(super) const GROUND: Color = hex(0xdf_dd_d8);
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

const fn hex(rgb: u32) -> Color {
    [(rgb >> 16 & 255) as f32 / 255.0, (rgb >> 8 & 255) as f32 / 255.0, (rgb & 255) as f32 / 255.0]
}

/// The colour of a body. Neighbouring indices differ, and no short period shows in a regular scene:
/// the golden ratio spreads consecutive indices evenly over the palette.
pub(super) fn of_body(body: u32) -> Color {
    let spread = body.wrapping_mul(0x9e37_79b9) >> 29;
    BODIES[spread as usize]
}

/// From sRGB to linear light.
pub fn linear(color: Color) -> Color {
    color.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}
