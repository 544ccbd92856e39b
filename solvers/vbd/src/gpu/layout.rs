//! What lies where in the arrays of the device. Bodies have a slot each, the world the last; pairs of shapes have one manifold each.

/// Numbers of what a body is: mass, inertia in its own axes (6), inverse of that (6), gravity (3). No mass: it does not move.
pub const MASS_WORDS: u32 = 16;
/// Numbers of what a body aims at: displacement (6), mass and world inertia over the squared step (1 + 6), torque (3).
pub const AIM_WORDS: u32 = 16;
/// Numbers of the inverse mass and world inertia of a body (1 + 6).
pub const INVERSE_WORDS: u32 = 8;
/// Numbers of a displacement, an acceleration or a user's force and torque (6).
pub const SIX_WORDS: u32 = 8;
/// Numbers of how a body ended: velocity (6), turn of its flight (3), turn of the displacement that the flight stands for (3).
pub const END_WORDS: u32 = 12;
/// Numbers of a manifold: normal (3), span (3), penalty per load, one unused, and four points.
pub const ROW_WORDS: u32 = 72;
/// Where the points of a manifold start.
pub const ROW_POINTS: u32 = 8;
/// Numbers of a point: lever (3), gap, slip (3), load, friction (3), penalties along and across, hardness, coefficient of friction, one unused.
pub const POINT_WORDS: u32 = 16;
/// Numbers of the dual state of a manifold, eight per point: gain, last update of the load and of the friction (1 + 3), largest load that raises
/// the penalty, overlap to be pushed apart, gap at the start.
pub const DUAL_WORDS: u32 = 32;
/// Numbers that a manifold remembers, sixteen per point: force (3), load, load of the step before, gain, one if it stuck, anchors in the frames of
/// the two shapes (6), torsional and rolling torque of the manifold on its second body (3).
pub const MEMORY_WORDS: u32 = 64;
/// Numbers of a pair of materials: friction that holds and that slides, stiffness, damping, radii of torsional and rolling friction. No stiffness: hard.
pub const MATERIAL_WORDS: u32 = 8;

/// Words of an island, at its leader: sums of what its bodies weigh (mass, external force, force that presses on it, stored energy), fastest led
/// body, and sums of energies (of free flight, of the solved motion).
pub const ISLAND_WORDS: u32 = 20;
/// Where the sums of what bodies weigh start.
pub const ISLAND_WEIGHTS: u32 = 0;
/// Bits of the speed of the fastest led body.
pub const ISLAND_LED: u32 = 12;
/// Where the sums of energies start.
pub const ISLAND_ENERGIES: u32 = 13;
/// Words of an island that nothing holds, at its leader: the sums of `whole.rs`.
pub const WHOLE_WORDS: u32 = 66;

/// Words of all arrays together that belong to a pair, and about so many to a body with a shape.
pub const PAIR_MEMORY: u32 = drystone_collide::gpu::PAIR_MEMORY + ROW_WORDS + DUAL_WORDS + 2 * MEMORY_WORDS + 8;
pub const BODY_MEMORY: u32 = 300;

/// Values of [`OVERFLOW`](drystone_collide::gpu::OVERFLOW): bodies without a colour were left, or one found none free.
pub const TOO_FEW_ROUNDS: u32 = 2;
pub const TOO_MANY_COLORS: u32 = 4;
/// Word of the flags: steps that were taken.
pub const STEPS: u32 = 2;
/// Word of the flags: colours of the last step.
pub const COLORS: u32 = 3;
/// Word of the flags: colours up to the last one of many bodies.
pub const HEAVY_COLORS: u32 = 4;
/// First word of the flags that says where a colour starts in the list of bodies; one more than colours.
pub const COLOR_STARTS: u32 = 8;
/// Words of the flags.
pub const FLAG_WORDS: usize = COLOR_STARTS as usize + MOST_COLORS as usize + 1;

/// Most colours: bits of the mask that a body finds a free one in.
pub const MOST_COLORS: u32 = 64;
/// Bit of the contacts of a body: its colour is the later of the two, so that it takes the dual step of the manifold.
pub const LATER: u32 = 1 << 31;
/// Body that has no colour.
pub const NO_COLOR: u32 = u32::MAX;
/// Flags of bodies: it moves; its inertia is the same about every axis; it is led.
pub const MOVES: u32 = 1;
pub const ROUND: u32 = 2;
pub const LEADS: u32 = 4;
