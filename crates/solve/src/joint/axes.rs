//! The six coordinates of a joint at the current iterate, and how they change with the bodies.

use drystone_kernels::lanes::{self, Lanes, Task, WideTurn};
use drystone_model::kinematics::Chart;
use drystone_model::{AxisMode, Cone, DMat3, DQuat, DVec3, JointKind, Model, Pose, WORLD};

use super::wide::{TurnKind, WideTurns};
use crate::linalg::block6::{point_row, spatial};
use crate::linalg::matrix::Vec6;

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
    /// Whether translations lie along the axes of the world instead of those of the parent, and each end is pulled at its own
    /// anchor. Only where all three are held alike.
    pub world_axes: bool,
    /// The locked rotation where the two others are free.
    pub(super) cardan: Option<usize>,
    /// What stands in place of the first rotation where the joint bounds a turn.
    pub(super) cone: Option<Cone>,
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
    /// Angles of the chart, also where a row stands for something else \[rad\].
    pub(super) angles: DVec3,
    /// Directions of the translations, world frame.
    pub direction: DMat3,
    /// Levers of the child frame's origin on parent and child, of its own where each end has one, world frame \[m\].
    pub lever: [DVec3; 2],
}

/// The rotations among the coordinates, and their derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Values \[rad\].
    pub value: [f64; 3],
    /// Change of each per small turn of the child, and against that of the parent, world frame.
    pub row: [DVec3; 3],
    /// Angles of the chart.
    angles: DVec3,
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
            world_axes: false,
            cardan: cardan(model, joint),
            cone: model.joint_cone(joint),
        }
    }

    /// Coordinates and derivatives at the given placements; angles on the branch next to `hint`.
    pub fn axes(&self, placement: [Placement; 2], hint: DVec3) -> Axes {
        let origin = [0, 1].map(|side| placement[side].com + placement[side].rotation * self.anchor[side]);
        let offset = origin[1] - origin[0];
        let parent = placement[0].rotation * self.basis[0];
        let acts = if self.world_axes { origin } else { [origin[1]; 2] };
        let lever = [0, 1].map(|side| acts[side] - placement[side].com);
        let direction = self.frame(parent, offset);
        let angles = DVec3::ZERO;
        let mut axes = Axes { value: [0.0; 6], jacobian: [[[0.0; 6]; 2]; 6], angles, direction, lever };
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

    /// Distance of the centres of mass when the joint is stretched out \[m\].
    pub fn size(&self) -> f64 {
        self.anchor[0].length() + self.anchor[1].length()
    }

    /// Directions of the translations, world frame.
    fn frame(&self, parent: DQuat, offset: DVec3) -> DMat3 {
        match (self.distance, self.world_axes) {
            (true, _) => along(offset),
            (false, true) => DMat3::IDENTITY,
            (false, false) => DMat3::from_quat(parent),
        }
    }

    /// Directions of the translations for joint frames given in the world frame.
    pub fn directions(&self, parent: &Pose, child: &Pose) -> DMat3 {
        self.frame(parent.rotation, child.translation - parent.translation)
    }

    /// Torque on the child, in the parent joint frame, of efforts along the rotation coordinates; for
    /// rotation vectors the efforts are the torque.
    pub fn torque(&self, relative: DQuat, hint: DVec3, effort: DVec3) -> DVec3 {
        if let Some(cone) = self.cone {
            return cone.read(relative, DVec3::ZERO, DVec3::ZERO).row * effort.x;
        }
        if self.chart == Chart::Vector || effort == DVec3::ZERO {
            return effort;
        }
        let angles = self.chart.angles(relative, hint);
        DVec3::from_array(self.chart.rates_about_axes(angles).map(|rates| rates.dot(effort)))
    }

    fn rotations(&self, axes: &mut Axes, parent: DQuat, child: DQuat, hint: DVec3) {
        let turns = self.turns_between(parent, child, hint);
        axes.angles = turns.angles;
        for k in 0..3 {
            axes.value[3 + k] = turns.value[k];
            axes.jacobian[3 + k] = [-turns.row[k], turns.row[k]].map(|row| spatial(DVec3::ZERO, row));
        }
    }

    /// The rotations of a joint whose bodies have these orientations.
    pub fn turns(&self, [parent, child]: [DQuat; 2], hint: DVec3) -> Turns {
        self.turns_between(parent * self.basis[0], child * self.basis[1], hint)
    }

    fn turns_between(&self, parent: DQuat, child: DQuat, hint: DVec3) -> Turns {
        // In lanes, though it is one joint: that form has no branches and no elementary functions.
        lanes::run(Alone { kind: TurnKind::of(self), parent, child, hint })
            .unwrap_or_else(|| self.turns_anywhere(parent, child, hint))
    }

    /// The same where the form without branches does not hold.
    pub(super) fn turns_anywhere(&self, parent: DQuat, child: DQuat, hint: DVec3) -> Turns {
        let angles = self.chart.angles(parent.inverse() * child, hint);
        // Column k: rates of the coordinates when the child turns about axis k of the parent frame.
        let rates = self.chart.rates_about_axes(angles);
        let row = [0, 1, 2].map(|k| parent * DVec3::new(rates[0][k], rates[1][k], rates[2][k]));
        let mut turns = Turns { value: angles.to_array(), row, angles };
        if let Some(locked) = self.cardan {
            (turns.value[locked], turns.row[locked]) = cardan_row(locked, parent, child);
        }
        if let Some(cone) = self.cone {
            let read = cone.read(parent.inverse() * child, DVec3::ZERO, DVec3::ZERO);
            (turns.value[0], turns.row[0]) = (read.value, parent * read.row);
        }
        turns
    }
}

/// The rotations of one joint, where they are told without branches.
struct Alone {
    kind: TurnKind,
    parent: DQuat,
    child: DQuat,
    hint: DVec3,
}

impl Task for Alone {
    type Output = Option<Turns>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<Turns> {
        let [parent, child] = [self.parent, self.child].map(|turn| turn.to_array().map(|x| [x; 4]));
        let (parent, child) = (WideTurn::load(lanes, &parent), WideTurn::load(lanes, &child));
        let hint = self.hint.to_array().map(|x| [x; 4]);
        let wide = WideTurns::between(lanes, self.kind, parent, child, &hint);
        if wide.beyond().is_some() {
            return None;
        }
        let mut turns = Turns { value: [0.0; 3], row: [DVec3::ZERO; 3], angles: DVec3::ZERO };
        for k in 0..3 {
            let [x, y, z] = wide.row[k].store();
            (turns.value[k], turns.row[k]) = (wide.value[k].store()[0], DVec3::new(x[0], y[0], z[0]));
            turns.angles[k] = wide.angles[k].store()[0];
        }
        Some(turns)
    }
}

/// The locked rotation of a joint that leaves exactly two free.
fn cardan(model: &Model, joint: usize) -> Option<usize> {
    let locked = |axis: &usize| model.joint_axis[joint][3 + axis] == AxisMode::Locked;
    let mut all = (0..3).filter(locked);
    match (model.joint_chart(joint), all.next(), all.next()) {
        (Chart::Euler, Some(axis), None) => Some(axis),
        _ => None,
    }
}

/// The one locked rotation of a Cardan joint as what it means: the axis it turns about in the parent
/// stays perpendicular to the one in the child. With the other two angles small their inner product is
/// the locked angle itself, but unlike the angle it stays regular when the joint is bent by a right
/// angle and the first and last axis of the triple coincide. Its value, and its change per rotation of
/// the child, world frame.
fn cardan_row(locked: usize, parent: DQuat, child: DQuat) -> (f64, DVec3) {
    let (in_parent, in_child, sign) = cardan_axes(locked);
    let (a, b) = (parent * in_parent, child * in_child);
    (sign * a.dot(b), sign * b.cross(a))
}

/// The axes of parent and child that stay perpendicular, and the sign of their inner product.
pub(super) fn cardan_axes(locked: usize) -> (DVec3, DVec3, f64) {
    match locked {
        0 => (DVec3::Y, DVec3::Z, -1.0),
        1 => (DVec3::X, DVec3::Z, 1.0),
        _ => (DVec3::X, DVec3::Y, -1.0),
    }
}

/// An orthonormal frame whose first axis points along `offset`; any frame where there is none.
fn along(offset: DVec3) -> DMat3 {
    let x = offset.try_normalize().unwrap_or(DVec3::X);
    let y = x.any_orthonormal_vector();
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_model::{Axis, BodyDef, JointDef, ModelBuilder};

    fn placement(com: DVec3, rotation: DVec3) -> Placement {
        Placement { com, rotation: DQuat::from_scaled_axis(rotation) }
    }

    /// The derivatives of all coordinates against central differences, for every chart.
    #[test]
    fn jacobians_agree_with_finite_differences() {
        let anchor = DVec3::new(0.2, -0.1, 0.3);
        let axis = DVec3::new(1.0, 2.0, -0.5);
        let two = [[Axis::AngX, Axis::AngY], [Axis::AngX, Axis::AngZ], [Axis::AngY, Axis::AngZ]];
        let mut scene = ModelBuilder::new();
        let a = scene.add_body(BodyDef::dynamic("a").sphere(0.1));
        let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X).sphere(0.1));
        scene.add_joint(JointDef::fixed(a, b, anchor));
        scene.add_joint(JointDef::revolute(a, b, anchor, axis));
        scene.add_joint(JointDef::prismatic(a, b, anchor, axis));
        scene.add_joint(JointDef::distance(a, b, anchor, DVec3::X, [0.1, 2.0]));
        two.iter().for_each(|free| _ = scene.add_joint(JointDef::d6(a, b, anchor, DQuat::IDENTITY, free)));
        scene.add_joint(JointDef::turn_limit(a, b, 1.0));
        scene.add_joint(JointDef::elliptic_cone(a, b, DQuat::from_rotation_y(0.3), [0.4, 0.9]));
        let model = scene.finalize().unwrap();
        let at = [
            placement(DVec3::new(0.1, 0.2, -0.1), DVec3::new(0.2, -0.3, 0.1)),
            placement(DVec3::new(1.1, 0.1, 0.2), DVec3::new(-0.1, 0.4, 0.3)),
        ];
        let step = 1e-6;
        for joint in 0..model.joint_count() {
            let geometry = JointGeometry::new(&model, joint, 2, true);
            let jacobian = geometry.axes(at, DVec3::ZERO).jacobian;
            for (side, component) in (0..2).flat_map(|side| (0..6).map(move |component| (side, component))) {
                let moved = |sign: f64| {
                    let mut places = at;
                    let push = DVec3::AXES[component % 3] * (sign * step);
                    if component < 3 {
                        places[side].com += push;
                    } else {
                        places[side].rotation = DQuat::from_scaled_axis(push) * places[side].rotation;
                    }
                    geometry.axes(places, DVec3::ZERO).value
                };
                let (more, less) = (moved(1.0), moved(-1.0));
                // The second and third directions of a distance joint are arbitrary and never used.
                for k in (0..6).filter(|k| !geometry.distance || !(1..3).contains(k)) {
                    let difference = (more[k] - less[k]) / (2.0 * step);
                    let error = difference - jacobian[k][side][component];
                    assert!(error.abs() < 1e-8, "joint {joint}, row {k}, side {side}, {component}: {error}");
                }
            }
        }
    }
}
