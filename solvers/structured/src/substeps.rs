//! Steps that are too long for what they move are cut into pieces.
//!
//! A joint that pulls with a force F at the lever r holds its body like a spring: turned by θ, the body feels
//! −K θ with K = (F·r) 1 − ½ (F rᵀ + r Fᵀ), and swings with the frequencies ω² of I⁻¹ K. Joint forces
//! act along the rows at the ends of a step only, so that a step of h follows such a swing as leapfrog does: well
//! while h ω is below one, not at all from two on, where a chain under load flies apart. What pulls is known only
//! when the step has been taken, which is why it is then thrown away and taken again in pieces. A piece that is too long although
//! those before it were not is taken again alone. The next step begins with the finest pieces that this one turned out to need.
//! Bodies that turned into others ask for pieces as well (`turns.rs`).

use drystone_collide::Collide;
use drystone_model::{Control, DMat3, DVec3, Model, Pose, State, Twist};

use serde::{Deserialize, Serialize};

use super::axis_laws::Law;
use super::bodies::Body;
use super::moreau::StepOutcome;
use super::solver::{Structured, Way};
use super::system::ConstraintSystem;
use drystone_solve::clock::Clock;
use drystone_solve::joint::geometric_stiffness;
use drystone_solve::report::Phase;
use drystone_solve::solver::StepError;

/// Swing within a step that needs no cutting, and that pieces are made for \[rad\].
pub const RESOLVED: f64 = 1.0;
/// Swing that a piece may reach because forces grew since the step began \[rad\].
const TOLERATED: f64 = 1.5;
/// Swing from which leapfrog is unstable \[rad\].
const UNSTABLE: f64 = 2.0;
/// Room for forces that grow within the step.
const MARGIN: f64 = 1.2;
/// Most times more pieces than in the attempt before, whose forces may be far off.
const GROWTH: f64 = 8.0;

/// ω² of the fastest swing, or growth of a fall, from above by at most √3 \[1/s²\]: the eigenvalues of I⁻¹ K are real,
/// and their squares add up to the trace of its square.
pub fn swing_rate(inverse_inertia: DMat3, stiffness: DMat3) -> f64 {
    let product = inverse_inertia * stiffness;
    let turned = product.transpose();
    let squares = (0..3).map(|k| product.col(k).dot(turned.col(k))).sum::<f64>();
    squares.max(0.0).sqrt()
}

/// K of a force on a body at a lever.
pub fn swing_stiffness(force: DVec3, lever: DVec3) -> DMat3 {
    geometric_stiffness(-force, lever)
}

/// Where bodies and joints were when a step, or a piece of one, began.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    kept: bool,
    body_q: Vec<Pose>,
    body_qd: Vec<Twist>,
    joint_angle: Vec<[f64; 3]>,
}

impl StepStart {
    /// Keeps a state that may have to be put back, and nothing of one that stays as it is until the step is taken.
    fn keep(&mut self, state: &State, may_be_undone: bool) {
        self.kept = may_be_undone;
        if !may_be_undone {
            return;
        }
        self.body_q.clone_from(&state.body_q);
        self.body_qd.clone_from(&state.body_qd);
        self.joint_angle.clone_from(&state.joint_angle);
    }

    fn put_back(&self, state: &mut State) {
        if !self.kept {
            return;
        }
        state.body_q.copy_from_slice(&self.body_q);
        state.body_qd.copy_from_slice(&self.body_qd);
        state.joint_angle.copy_from_slice(&self.joint_angle);
    }
}

/// A piece of a step.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Which it is.
    pub index: u32,
    /// How many pieces of its length make the step.
    pub count: u32,
    /// How many there are from here on.
    pub remaining: u32,
    /// Its duration \[s\].
    pub h: f64,
    /// The largest number there may be.
    pub most: u32,
}

impl Piece {
    /// Time from its start to the end of the step \[s\].
    pub fn left(&self) -> f64 {
        self.h * f64::from(self.remaining)
    }

    /// Whether it is the last.
    pub fn is_last(&self) -> bool {
        self.remaining == 1
    }

    /// The number of pieces to take instead, if this one does not resolve what it moves and more may be made.
    pub fn refuse(&self, reached: &StepOutcome) -> Option<u32> {
        let limit = if self.count == 1 { RESOLVED } else { TOLERATED };
        let torn = !reached.closed && reached.swing > 0.5 * RESOLVED;
        // Numbers that are not finite must refuse as well.
        let resolved = reached.swing <= limit && !torn;
        if resolved || self.count >= self.most {
            return None;
        }
        let wanted = (MARGIN * reached.swing / RESOLVED).clamp(if torn { 2.0 } else { 1.0 }, GROWTH);
        let wanted = if wanted.is_nan() { GROWTH } else { wanted };
        let count = (f64::from(self.count) * wanted).ceil() as u32;
        Some(count.clamp(self.count + 1, self.most))
    }

    /// What is left of a step of `dt` seconds, this piece included, in pieces of which `count` would make the step.
    fn cut(&self, count: u32, dt: f64) -> Self {
        let left = self.left();
        let remaining = (left / dt * f64::from(count) * (1.0 - 1.0e-9)).ceil() as u32;
        Self { count, remaining, h: left / f64::from(remaining), ..*self }
    }
}

/// The longest piece that the last step showed to resolve what it moves \[s\]: the next one begins with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieceMemory(f64);

impl Default for PieceMemory {
    fn default() -> Self {
        Self(f64::INFINITY)
    }
}

impl PieceMemory {
    /// Pieces to begin a step of `dt` seconds with.
    fn count(self, dt: f64, least: u32, most: u32) -> u32 {
        // As many again for the same step, whatever rounding says.
        let count = (dt / self.0 * (1.0 - 1.0e-9)).ceil();
        (count as u32).clamp(least, most)
    }

    /// Notes what a step in at most `count` pieces needs, by the largest swing in any of them if it were as long as the step.
    fn learn(&mut self, dt: f64, count: u32, swing: f64) {
        let wanted = (MARGIN * swing / RESOLVED).ceil().clamp(1.0, f64::from(count));
        self.0 = if wanted > 1.0 { dt / wanted } else { f64::INFINITY };
    }
}

/// How an attempt at a step ended.
enum Attempt {
    /// The step is taken.
    Taken(Taken),
    /// It needs this many pieces from the start; the state is as it was.
    Unresolved(u32),
}

/// What a step in pieces came to.
struct Taken {
    reached: StepOutcome,
    /// The largest gap, if the chains know it.
    gap: Option<f64>,
    /// The most pieces that a part of it was cut into, as if the whole step were, and the largest swing in terms of a whole step.
    count: u32,
    swing: f64,
}

impl Structured {
    /// A step of `dt` seconds in as few pieces as resolve it. Returns what was reached and the largest gap, if the
    /// chains know it.
    pub(super) fn step_in_pieces(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
        clock: &mut Clock,
    ) -> Result<(StepOutcome, Option<f64>), StepError> {
        self.in_general = false;
        let mut count = self.piece.count(dt, self.options().min_pieces, self.options().max_pieces);
        loop {
            let attempt = self.attempt(model, state, control, collide, dt, count, clock);
            if !matches!(attempt, Ok(Attempt::Taken(..))) {
                self.start.put_back(state);
            }
            match attempt? {
                Attempt::Taken(taken) => {
                    self.piece.learn(dt, taken.count, taken.swing);
                    return Ok((taken.reached, taken.gap));
                }
                Attempt::Unresolved(more) => count = more,
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "those of a step, how to cut it, and who counts the time")]
    fn attempt(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
        count: u32,
        clock: &mut Clock,
    ) -> Result<Attempt, StepError> {
        let mut taken = Taken { reached: StepOutcome::new(), gap: None, count, swing: 0.0 };
        self.floating.forget();
        let most = self.options().max_pieces;
        let mut piece = Piece { index: 0, count, remaining: count, h: dt / f64::from(count), most };
        while piece.remaining > 0 {
            clock.lap(Phase::Control);
            clock.detect(collide, model, state, piece.h);
            // Pieces without contacts are refused before they are put down.
            let touches = collide.contacts.manifold_count() > 0;
            if piece.index == 0 {
                self.start.keep(state, touches || piece.remaining > 1);
            } else {
                self.piece_start.keep(state, touches);
            }
            let before = self.way;
            let result = self.take(model, state, control, collide, &piece);
            if piece.index > 0 && before == Way::Reduced && self.way == Way::General {
                // The general step sums up what joints exert from the first piece on.
                self.in_general = true;
                return Ok(Attempt::Unresolved(count));
            }
            clock.lap(Phase::Iterate);
            let (reached, gap) = result?;
            let mut refused = piece.refuse(&reached);
            if refused.is_none() {
                if !reached.closed && reached.swing >= UNSTABLE {
                    return Err(too_taut(state.time, piece.h * RESOLVED / reached.swing));
                }
                self.note_momenta(model, state, control, &piece, &reached);
                self.put_down(model, state, control, &piece);
                refused = self.turned_into_others(model, state, collide, &piece);
            }
            if let Some(more) = refused {
                if piece.index == 0 || self.way != Way::General {
                    return Ok(Attempt::Unresolved(more));
                }
                // What came before it was resolved, and stays.
                self.piece_start.put_back(state);
                self.discard_piece();
                piece = piece.cut(more, dt);
                taken.count = taken.count.max(piece.count);
                continue;
            }
            taken.reached.follow(&reached);
            taken.swing = larger(taken.swing, reached.swing * f64::from(piece.count));
            taken.gap = gap.map(|gap| gap.max(taken.gap.unwrap_or(0.0)));
            self.accept_piece();
            self.update_angles(model, state);
            (piece.index, piece.remaining) = (piece.index + 1, piece.remaining - 1);
            clock.lap(Phase::Finish);
        }
        Ok(Attempt::Taken(taken))
    }

    /// The number of pieces to take instead of `piece`, if bodies turned so far in it that they are in others.
    fn turned_into_others(&mut self, model: &Model, state: &State, first: &Collide, piece: &Piece) -> Option<u32> {
        let Self { second_look, mechanism: Some(mechanism), .. } = self else { return None };
        if self.way != Way::General || piece.count >= piece.most {
            return None;
        }
        let wanted = second_look.refuse(model, state, mechanism, first, piece.h)?;
        let count = (f64::from(piece.count) * wanted.clamp(2.0, GROWTH)).ceil() as u32;
        Some(count.clamp(piece.count + 1, piece.most))
    }
}

fn too_taut(time: f64, wanted: f64) -> StepError {
    let reason = format!(
        "joints pull so hard that bodies swing faster than the step resolves, and tear; take steps of {wanted:.1e} s, or raise \
         `max_pieces`"
    );
    StepError::Failed { solver: "structured", time, reason }
}

impl ConstraintSystem {
    /// Turn of the fastest swing of a body under the forces of its joints within `h` seconds \[rad\], by the
    /// impulses of those seconds.
    pub(super) fn swing(&mut self, control: &Control, h: f64) -> f64 {
        let mut stiffness = std::mem::take(&mut self.stiffness);
        stiffness.clear();
        stiffness.resize(self.bodies.body.len(), DMat3::ZERO);
        let joints = self.impulse.iter().zip(&self.active).enumerate().filter(|(_, (_, active))| **active);
        for (joint, (impulse, _)) in joints {
            let axes = self.view(joint, control).axes();
            let pull = axes.direction * DVec3::new(impulse[0], impulse[1], impulse[2]);
            for (side, force) in [(0, -pull), (1, pull)] {
                stiffness[self.geometry[joint].body[side]] += swing_stiffness(force, axes.lever[side]);
            }
        }
        let rates = (0..self.geometry.len()).filter(|&joint| self.active[joint]).map(|joint| {
            let free = self.free_turns(joint, control);
            let ends = self.geometry[joint].body.into_iter().filter(|&body| self.bodies.moves.get(body) == Some(&true));
            ends.map(|body| joint_swing_rate(&self.bodies.body[body], &free, &stiffness[body])).fold(0.0, larger)
        });
        let fastest = rates.fold(0.0, larger);
        self.stiffness = stiffness;
        (fastest * h).sqrt()
    }

    /// The axes that a joint lets its bodies turn about, world frame.
    fn free_turns(&self, joint: usize, control: &Control) -> [Option<DVec3>; 3] {
        let direction = self.view(joint, control).axes().direction;
        let held = |axis: usize| {
            self.laws.of(joint).iter().any(|law| law.axis as usize == axis && matches!(law.law, Law::Held(_)))
        };
        [0, 1, 2].map(|k| (!held(3 + k)).then(|| direction.col(k)))
    }
}

/// ω² of the fastest swing of a body about the axes that a joint leaves free: forces along what it holds, which may be
/// anything in a redundant mechanism, make nothing swing.
fn joint_swing_rate(body: &Body, free: &[Option<DVec3>; 3], stiffness: &DMat3) -> f64 {
    if free.iter().all(Option::is_some) {
        return swing_rate(body.inverse_inertia, *stiffness);
    }
    let about = |axis: &DVec3| (axis.dot(*stiffness * *axis) / axis.dot(body.inertia * *axis)).abs();
    free.iter().flatten().map(about).fold(0.0, larger)
}

/// The larger of two numbers, or the one that is none.
pub fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
