//! The six coordinates of a joint at the current iterate, and how they change with the bodies.

use drystone_model::kinematics::Chart;
use drystone_model::{DMat3, DQuat, DVec3, JointKind, Model, WORLD};

use crate::parts::block6::{point_row, spatial};
use crate::parts::matrix::Vec6;

/// What of a joint never changes: its bodies and its frames relative to their centres of mass.
#[derive(Clone, Copy, Debug)]
pub struct JointGeometry {
    /// Body slots of parent and child.
    pub body: [usize; 2],
    /// Origin of the joint frame from the centre of mass, body axes \[m\].
    pub anchor: [DVec3; 2],
    /// Axes of the joint frame in body axes.
    pub basis: [DQuat; 2],
    /// How the rotation is written as three numbers.
    pub chart: Chart,
    /// A distance joint has the distance of the frame origins as its first coordinate.
    pub distance: bool,
    /// Whether any row looks at the rotation.
    pub turns: bool,
}

/// A body as joints see it: centre of mass and orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Centre of mass, world frame \[m\].
    pub com: DVec3,
    /// Orientation.
    pub rotation: DQuat,
}

/// Coordinates and their derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// Value of every coordinate \[m\], \[rad\].
    pub value: [f64; 6],
    /// Change of every coordinate per small motion of the parent and of the child.
    pub jacobian: [[Vec6<f64>; 2]; 6],
    /// Directions of the translations, world frame.
    pub direction: DMat3,
    /// Levers of the child frame's origin on parent and child, world frame \[m\].
    pub lever: [DVec3; 2],
}

impl JointGeometry {
    /// Reads a joint of the model; `world` is the slot of the world.
    pub fn new(model: &Model, joint: usize, world: usize, turns: bool) -> Self {
        let bodies = [model.joint_parent[joint], model.joint_child[joint]];
        let frames = [model.joint_frame_parent[joint], model.joint_frame_child[joint]];
        let com = |body: u32| if body == WORLD { DVec3::ZERO } else { model.body_com[body as usize] };
        Self {
            body: bodies.map(|body| if body == WORLD { world } else { body as usize }),
            anchor: [0, 1].map(|side| frames[side].translation - com(bodies[side])),
            basis: frames.map(|frame| frame.rotation),
            chart: model.joint_chart(joint),
            distance: model.joint_kind[joint] == JointKind::Distance,
            turns,
        }
    }

    /// Coordinates and derivatives at the given placements; angles on the branch next to `hint`.
    pub fn axes(&self, placement: [Placement; 2], hint: DVec3) -> Axes {
        let origin = [0, 1].map(|side| placement[side].com + placement[side].rotation * self.anchor[side]);
        let offset = origin[1] - origin[0];
        let parent = placement[0].rotation * self.basis[0];
        let lever = [0, 1].map(|side| origin[1] - placement[side].com);
        let direction = if self.distance { along(offset) } else { DMat3::from_quat(parent) };
        let mut axes = Axes { value: [0.0; 6], jacobian: [[[0.0; 6]; 2]; 6], direction, lever };
        for k in 0..3 {
            let d = direction.col(k);
            axes.value[k] = d.dot(offset);
            axes.jacobian[k] = [point_row(-d, lever[0]), point_row(d, lever[1])];
        }
        if self.turns {
            self.rotations(&mut axes, parent, placement[1].rotation * self.basis[1], hint);
        }
        axes
    }

    fn rotations(&self, axes: &mut Axes, parent: DQuat, child: DQuat, hint: DVec3) {
        let angles = self.chart.angles(parent.inverse() * child, hint);
        // Column k: rates of the coordinates when the child turns about axis k of the parent frame.
        let rates = DVec3::AXES.map(|axis| self.chart.rates(angles, axis));
        for k in 0..3 {
            let row = parent * DVec3::new(rates[0][k], rates[1][k], rates[2][k]);
            axes.value[3 + k] = angles[k];
            axes.jacobian[3 + k] = [spatial(DVec3::ZERO, -row), spatial(DVec3::ZERO, row)];
        }
    }
}

/// An orthonormal frame whose first axis points along `offset`; any frame where there is none.
fn along(offset: DVec3) -> DMat3 {
    let x = offset.try_normalize().unwrap_or(DVec3::X);
    let y = x.any_orthonormal_vector();
    DMat3::from_cols(x, y, x.cross(y))
}
