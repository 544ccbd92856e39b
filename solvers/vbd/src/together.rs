//! Steps of several simulations at once, in which the Newton steps of their joint islands go side by side.
//!
//! Every simulation takes its step as it would alone, phase by phase; those of all are taken in turn, so that the islands of all
//! are ready for a sweep at the same time. The results are those that each has alone.

use drystone_collide::{Collide, Moment};
use drystone_model::{Control, Model, State};
use drystone_solve::clock::Clock;
use drystone_solve::report::{Phase, Report};
use drystone_solve::solver::{Moving, Scratch, StepError};

use super::Vbd;
use super::joint::{Company, LANES, Pace, Part};

/// A step under way.
#[derive(Debug)]
pub(super) struct Flight {
    pub clock: Clock,
    pub substeps: u32,
    /// Sweeps of a substep, at most.
    pub iterations: u32,
    /// Duration of the step and of a substep \[s\].
    pub dt: f64,
    pub h: f64,
    /// Largest move of the last sweep \[m\], and the number of sweeps so far.
    pub residual: f64,
    pub sweeps: u32,
}

/// A simulation whose step is under way.
struct Member<'a> {
    vbd: &'a mut Vbd,
    model: &'a Model,
    state: &'a mut State,
    control: &'a Control,
    collide: &'a mut Collide,
    flight: Flight,
    /// Whether the pass at hand solves it.
    pending: bool,
    /// Whether it still moves in this pass.
    going: bool,
    /// Squared largest translation of its joint islands in the sweep at hand \[m²\].
    moved: f64,
    /// Sweeps of this pass.
    swept: u32,
    result: &'a mut Option<Result<Report, StepError>>,
}

type Members<'a> = [Option<Member<'a>>; LANES];

/// Takes a step of each of some simulations.
pub(super) fn step(moving: &mut [Moving], scratch: &mut Scratch) {
    let mut kept = scratch.take().and_then(|kept| kept.downcast::<Company>().ok()).unwrap_or_default();
    moving.chunks_mut(LANES).for_each(|moving| step_four(moving, &mut kept));
    *scratch = Some(kept);
}

fn step_four(moving: &mut [Moving], company: &mut Company) {
    let mut members: Members = [const { None }; LANES];
    for (place, moving) in members.iter_mut().zip(moving) {
        *place = depart(moving);
    }
    // Those in step with the first go with it.
    let pace = |member: &Member| {
        let Flight { substeps, iterations, .. } = member.flight;
        (substeps, iterations, member.vbd.options.newton_steps)
    };
    if let Some(first) = members.iter().flatten().next().map(pace) {
        for place in &mut members {
            if let Some(member) = place.take_if(|member| pace(member) != first) {
                let mut alone: Members = [const { None }; LANES];
                alone[0] = Some(member);
                fly(&mut alone, company);
            }
        }
    }
    fly(&mut members, company);
}

/// Begins a step; none where it is done already, or is not one that goes with others.
fn depart<'a>(moving: &'a mut Moving<'_>) -> Option<Member<'a>> {
    let Moving { solver, model, state, control, collide, dt, result } = moving;
    let alone = solver.as_any_mut().and_then(|any| any.downcast_ref::<Vbd>()).is_none_or(Vbd::goes_alone);
    if alone {
        **result = Some(solver.step(model, state, control, collide, *dt));
        return None;
    }
    let vbd = solver.as_any_mut().and_then(|any| any.downcast_mut::<Vbd>())?;
    let mut clock = match Clock::of_step(*dt) {
        Ok(clock) => clock,
        Err(error) => {
            **result = Some(Err(error));
            return None;
        }
    };
    if let Some(report) = vbd.quiet_step(model, state, control, collide, *dt, &mut clock) {
        **result = Some(Ok(report));
        return None;
    }
    let flight = vbd.begin_step(model, state, *dt, clock);
    let (pending, going, moved, swept) = (false, false, 0.0, 0);
    Some(Member { vbd, model, state, control, collide, flight, pending, going, moved, swept, result })
}

fn fly(members: &mut Members, company: &mut Company) {
    let Some(first) = members.iter().flatten().next() else { return };
    let Flight { substeps, iterations, .. } = first.flight;
    for _ in 0..substeps {
        members.iter_mut().flatten().for_each(Member::begin_substep);
        let shared = gather(company, members);
        while members.iter().flatten().any(|member| member.pending) {
            members.iter_mut().flatten().filter(|member| member.pending).for_each(Member::begin_pass);
            let began = Moment::now();
            iterate(members, shared.then_some(&mut *company), iterations);
            let seconds = Moment::now().seconds_since(began);
            let count = members.iter().flatten().filter(|member| member.pending).count();
            for member in members.iter_mut().flatten().filter(|member| member.pending) {
                member.end_pass(seconds / count as f64);
            }
        }
        members.iter_mut().flatten().for_each(Member::settle);
        let mut open = [true; LANES];
        if shared {
            with_parts(parts(members), |parts| open = company.measure(parts));
        }
        for (member, open) in members.iter_mut().flatten().zip(open) {
            member.end_substep(open);
        }
    }
    for member in members.iter_mut().filter_map(Option::take) {
        let Member { vbd, model, state, collide, mut flight, result, .. } = member;
        flight.clock.resume();
        *result = Some(Ok(vbd.end_step(model, state, collide, flight)));
    }
}

fn gather(company: &mut Company, members: &Members) -> bool {
    let mut all = members.iter().flatten().map(|member| (&member.vbd.joint_islands, &member.vbd.joints));
    let Some(first) = all.next() else { return false };
    let mut worlds = [first; LANES];
    let mut count = 1;
    for own in all {
        worlds[count] = own;
        count += 1;
    }
    company.gather(&worlds[..count])
}

/// Sweeps of all that are pending, until nothing moves any more or as often as told.
fn iterate(members: &mut Members, mut company: Option<&mut Company>, iterations: u32) {
    for iteration in 0..iterations {
        let Some(first) = members.iter().flatten().next() else { return };
        let pace = Pace::of((iteration, iterations), first.vbd.options.newton_steps);
        match &mut company {
            Some(company) => sweep_company(company, members, &pace),
            None => {
                for member in members.iter_mut().flatten().filter(|member| member.going) {
                    member.moved = member.vbd.step_islands(pace);
                }
            }
        }
        for member in members.iter_mut().flatten().filter(|member| member.going) {
            let last = iteration + 1 == iterations;
            (member.flight.residual, member.going) = member.vbd.finish_sweep(member.moved, last);
            member.swept = iteration + 1;
        }
        if !members.iter().flatten().any(|member| member.going) {
            return;
        }
    }
}

fn sweep_company(company: &mut Company, members: &mut Members, pace: &Pace) {
    let mut moved = [0.0; LANES];
    let sweep = |parts: &mut [Part]| {
        company.sweep(parts, pace);
        parts.iter().map(|part| part.moved).enumerate().for_each(|(place, way)| moved[place] = way);
    };
    with_parts(parts(members), sweep);
    for (member, moved) in members.iter_mut().flatten().zip(moved) {
        member.moved = moved;
    }
}

/// What the members bring into their company, in the order in which they were gathered, without gaps.
fn parts<'b>(members: &'b mut Members) -> [Option<Part<'b>>; LANES] {
    let mut parts = members.iter_mut().flatten().map(Member::part);
    [parts.next(), parts.next(), parts.next(), parts.next()]
}

/// Calls `work` with those parts that there are.
fn with_parts<'a>(parts: [Option<Part<'a>>; LANES], work: impl FnOnce(&mut [Part<'a>])) {
    match parts {
        [Some(a), Some(b), Some(c), Some(d)] => work(&mut [a, b, c, d]),
        [Some(a), Some(b), Some(c), None] => work(&mut [a, b, c]),
        [Some(a), Some(b), ..] => work(&mut [a, b]),
        [Some(a), ..] => work(&mut [a]),
        [None, ..] => {}
    }
}

impl Member<'_> {
    fn begin_substep(&mut self) {
        let Self { vbd, model, state, control, collide, flight, .. } = self;
        flight.clock.resume();
        vbd.begin_substep(model, state, control, collide, flight.h, &mut flight.clock);
        self.pending = true;
    }

    fn begin_pass(&mut self) {
        let Self { vbd, model, state, collide, flight, .. } = self;
        flight.clock.resume();
        vbd.warm_start(model, state, &collide.contacts, flight.h);
        flight.clock.lap(Phase::WarmStart);
        vbd.begin_sweeps(flight.h);
        (self.going, self.moved, self.swept, flight.residual) = (true, 0.0, 0, 0.0);
    }

    /// Ends a pass that took so many seconds of its own.
    fn end_pass(&mut self, seconds: f64) {
        self.flight.clock.book(Phase::Iterate, seconds);
        self.pending = !self.vbd.end_pass(self.model, &self.collide.contacts);
    }

    fn settle(&mut self) {
        let Self { vbd, flight, .. } = self;
        flight.clock.resume();
        vbd.settle(flight.h);
        flight.clock.lap(Phase::Finish);
    }

    /// Ends a substep, given whether a joint was found open.
    fn end_substep(&mut self, open: bool) {
        let Self { vbd, model, state, collide, flight, .. } = self;
        flight.sweeps += self.swept;
        flight.clock.resume();
        if open {
            vbd.project_joints();
        }
        vbd.end_substep(model, state, &collide.contacts, flight.h, &mut flight.clock);
    }

    fn part(&mut self) -> Part<'_> {
        let Vbd { joint_islands, bodies, joints, rows, adjacency, convergence, .. } = &mut *self.vbd;
        Part {
            islands: joint_islands,
            bodies,
            joints,
            manifolds: &rows.manifolds,
            contacts: adjacency,
            active: &convergence.active,
            going: self.going,
            moved: 0.0,
        }
    }
}
