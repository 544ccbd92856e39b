//! How many Newton steps joint islands take in a sweep.

/// Newton steps in the first sweep of a joint island that nothing touches, unless it settles before.
pub const NEWTON_STEPS: u32 = 8;
/// Most Newton steps in the last sweep: an impact that jolts a slack chain needs about thirty to close
/// its joints again; what has converged takes none of them.
const LAST_NEWTON_STEPS: u32 = 64;
/// Newton steps per time step of a wide net.
const NET_STEPS: u32 = 4;

/// How many Newton steps islands take in a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The sweep.
    pub iteration: u32,
    /// How many there are.
    pub iterations: u32,
    /// Newton steps in a sweep of what contacts touch.
    pub share: u32,
}

impl Pace {
    /// That of a sweep, given the Newton steps of a step.
    pub fn of((iteration, iterations): (u32, u32), newton_steps: u32) -> Self {
        Self { iteration, iterations, share: newton_steps.div_ceil(iterations) }
    }

    fn last(&self) -> bool {
        self.iteration + 1 == self.iterations
    }

    /// Most of them.
    pub fn most(&self) -> u32 {
        if self.last() { LAST_NEWTON_STEPS } else { NEWTON_STEPS.max(self.share) }
    }

    /// Whether an island that nothing touches takes this one.
    pub fn untouched(&self, newton: u32, converged: bool) -> bool {
        newton < NEWTON_STEPS && ((self.iteration == 0 && newton == 0) || !converged)
    }

    /// Whether one that is touched does.
    pub fn touched(&self, newton: u32, converged: bool) -> bool {
        newton == 0 || (!converged && (self.last() || newton < self.share))
    }

    /// Whether a net does.
    pub fn net(&self, newton: u32, touched: bool, converged: bool) -> bool {
        match touched {
            true => newton == 0 && self.iteration.is_multiple_of(self.iterations.div_ceil(NET_STEPS)),
            false => self.iteration == 0 && newton < NET_STEPS && (newton == 0 || !converged),
        }
    }
}
