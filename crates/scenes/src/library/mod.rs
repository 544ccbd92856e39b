//! The scenes, one file per small family.

mod arch;
mod balance;
mod cards;
mod chains;
mod keva;
mod pile;
mod slopes;
mod stacks;

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
];
