//! `.png`.

use std::io::{self, Write};

use crate::raster::Image;

pub(crate) fn encode(image: &Image, sink: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(sink, image.width as u32, image.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgb)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back() {
        let image = Image { width: 3, height: 2, rgb: (0..18).map(|i| i * 13).collect() };
        let mut bytes = Vec::new();
        encode(&image, &mut bytes).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut rgb = vec![0; 18];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(rgb, image.rgb);
    }
}
