//! The scenes, one file per small family.

mod arch;
mod balance;
mod cable;
mod cards;
mod chains;
mod cloth;
mod creature;
mod demolition;
mod elastic;
mod erleben;
mod garments;
mod gears;
mod gyroscope;
mod humanoid;
mod keva;
mod klann;
mod linkages;
mod links;
mod mechanisms;
mod nets;
mod pendulums;
mod pile;
mod planar;
mod ragdolls;
mod signs;
mod slopes;
mod soft;
mod spiky;
mod stacks;
mod stewart;
mod thread;
mod tight;
mod train;
mod trees;

use crate::scene::SceneEntry;

/// Every scene, in the order they are listed.
pub const SCENES: &[SceneEntry] = &[
    stacks::PYRAMID,
    stacks::WALL,
    stacks::STACK,
    stacks::MASS_RATIO,
    stacks::LARGE_PYRAMID,
    keva::KEVA,
    pile::PILE,
    cards::CARD_HOUSE,
    arch::ARCH,
    slopes::INCLINE,
    slopes::SLIDING_BOX,
    slopes::SLIDING_ROW,
    slopes::SLIDING_SLABS,
    balance::OVERHANG,
    balance::DOMINO,
    balance::THROWN_STACK,
    chains::CHAIN,
    chains::NECKLACE,
    chains::JOINT_GRID,
    pendulums::PENDULUM,
    pendulums::DOUBLE_PENDULUM,
    pendulums::NEWTON_CRADLE,
    gyroscope::GYROSCOPE,
    cable::CABLE,
    gears::GEARS,
    mechanisms::BRIDGE,
    mechanisms::WRECKING_BALL,
    mechanisms::CHAIN_HITS_STACK,
    ragdolls::RAGDOLLS,
    trees::TREE,
    trees::RANDOM_TREE,
    humanoid::HUMANOID,
    linkages::FOUR_BAR,
    linkages::SIX_BAR,
    klann::KLANN_WALKER,
    klann::WALKER_ON_RUBBLE,
    klann::THOUSAND_LOOPS,
    signs::SIGNS,
    stewart::STEWART_PLATFORM,
    nets::CHAIN_MAIL,
    nets::MAIL_ON_BALL,
    nets::ASSEMBLY,
    tight::TUNNELLING,
    tight::PEG_IN_HOLE,
    tight::TURNTABLE,
    links::CHAIN_NET,
    thread::SCREW,
    creature::CREATURE,
    cloth::CLOTH_HANG,
    cloth::CLOTH_SPHERE,
    cloth::CLOTH_BOX,
    cloth::SOFT_CUBE,
    cloth::TRAMPOLINE,
    cloth::CLOTH_STACK,
    soft::FLAG,
    soft::SOFT_STACK,
    soft::BEAM,
    elastic::SQUEEZE,
    elastic::SOFT_NET,
    elastic::TWIST_BEAM,
    garments::GARMENT,
    spiky::SPIKES,
    erleben::CLIFF_EDGES,
    erleben::INTERNAL_EDGES,
    erleben::SLIDING_SPIKE,
    erleben::SLIDING_WEDGE,
    erleben::SPIKE_AND_WEDGE,
    erleben::SPIKE_IN_CRACK,
    erleben::SPIKE_IN_HOLE,
    erleben::SPIKES,
    erleben::WEDGE_IN_CRACK,
    erleben::WEDGES,
];
