//! The part of a glTF document that says where triangles are.

use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub extensions_required: Vec<String>,
}

impl Document {
    /// Nodes that are nobody's child: what there is to show when the file has no scene.
    pub fn orphans(&self) -> Vec<usize> {
        let mut child = vec![false; self.nodes.len()];
        for &index in self.nodes.iter().flat_map(|node| &node.children) {
            if let Some(flag) = child.get_mut(index) {
                *flag = true;
            }
        }
        (0..self.nodes.len()).filter(|&index| !child[index]).collect()
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: [f64; 3],
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: None,
            children: Vec::new(),
            mesh: None,
            matrix: None,
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
        }
    }
}

#[derive(Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    #[serde(default)]
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub struct Primitive {
    pub attributes: PrimitiveAttributes,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
}

#[derive(Deserialize)]
pub struct PrimitiveAttributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}

/// How a run of corners makes triangles.
#[derive(Clone, Copy)]
pub enum Topology {
    List,
    Strip,
    Fan,
}

impl Primitive {
    /// How corners make triangles, or `None` for points and lines.
    pub fn triangle_corners(&self) -> Option<Topology> {
        match self.mode.unwrap_or(4) {
            4 => Some(Topology::List),
            5 => Some(Topology::Strip),
            6 => Some(Topology::Fan),
            _ => None,
        }
    }
}

impl Topology {
    /// Number of triangles in so many corners.
    pub fn count(self, corners: usize) -> usize {
        match self {
            Self::List => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// The corners of a triangle; strips alternate their winding.
    pub fn corners(self, t: usize) -> [usize; 3] {
        match self {
            Self::List => [3 * t, 3 * t + 1, 3 * t + 2],
            Self::Strip if t.is_multiple_of(2) => [t, t + 1, t + 2],
            Self::Strip => [t + 1, t, t + 2],
            Self::Fan => [t + 1, t + 2, 0],
        }
    }
}
