//! Who may touch whom.

use std::collections::BTreeSet;

use super::super::assembly::{Assembly, Part};
use super::super::fault::Log;
use super::super::xml::Element;
use super::body::GeomAt;

/// Names of the geoms of all `pair` elements.
pub(super) fn paired(root: &Element) -> BTreeSet<String> {
    let pairs = root.children_named("contact").flat_map(|contact| contact.children_named("pair"));
    pairs.flat_map(|pair| [pair.text_of("geom1"), pair.text_of("geom2")]).flatten().map(str::to_owned).collect()
}

/// Sets groups and masks. MuJoCo lets two geoms meet if the type of one is among the affinities of the other, either way
/// round; the model wants both to agree. So every distinct pair of numbers becomes a group of its own, with a mask of all
/// groups it meets. Pairs named in the file become groups of two.
pub(super) fn set_groups(root: &Element, geoms: &[GeomAt], parts: &mut [Part], log: &mut Log) {
    let mut kinds: Vec<[u32; 2]> = geoms.iter().map(|at| at.geom.filter).filter(|&filter| filter != [0, 0]).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let pairs: Vec<&Element> =
        root.children_named("contact").flat_map(|contact| contact.children_named("pair")).collect();
    if kinds.len() + pairs.len() > 32 {
        let message = format!("{} kinds of geoms and {} pairs are more than 32 groups", kinds.len(), pairs.len());
        let place = pairs.first().map_or(root.place, |pair| pair.place);
        log.fault(place, message, "use fewer pairs: let `contype` and `conaffinity` say it");
        return;
    }
    for at in geoms {
        let shape = &mut parts[at.part].shapes[at.shape].0;
        let [own, meets] = at.geom.filter;
        let kind = kinds.iter().position(|kind| *kind == at.geom.filter);
        shape.group = kind.map_or(0, |kind| 1 << kind);
        shape.mask = (0u32..).zip(&kinds).fold(0, |mask, (bit, [other, affinity])| {
            let meet = own & affinity != 0 || other & meets != 0;
            mask | (u32::from(meet) << bit)
        });
        for (bit, pair) in (kinds.len()..).zip(&pairs) {
            let named = ["geom1", "geom2"].iter().any(|end| pair.text_of(end) == Some(at.geom.name.as_str()));
            if named && !at.geom.name.is_empty() {
                shape.group |= 1 << bit;
                shape.mask |= 1 << bit;
            }
        }
    }
    note_mixing(geoms, parts, log);
    for pair in pairs {
        if ["friction", "condim", "solref", "solimp", "margin", "gap"].iter().any(|name| pair.attribute(name).is_some())
        {
            log.note(pair.place, "a `pair` touches with the friction and margin of its geoms, not with its own");
        }
    }
}

/// Friction of two different surfaces is their geometric mean here, the larger there.
fn note_mixing(geoms: &[GeomAt], parts: &[Part], log: &mut Log) {
    let friction = |at: &GeomAt| parts[at.part].shapes[at.shape].0.material.friction_static;
    let Some(first) = geoms.first() else { return };
    if geoms.iter().any(|at| friction(at) != friction(first)) {
        let message = "geoms have different friction: two that touch have the geometric mean, not the larger";
        log.note(first.geom.place, message);
    }
    if geoms.iter().any(|at| at.geom.priority != 0.0) {
        log.note(first.geom.place, "`priority` of geoms: friction is the geometric mean of both");
    }
    if geoms.iter().any(|at| at.geom.condim != first.geom.condim) {
        log.note(
            first.geom.place,
            "geoms have different `condim`: friction of two that touch is mixed, not that of the larger",
        );
    }
}

/// Shapes that a `pair` of the file names touch whatever else is said.
struct Named<'a> {
    pairs: Vec<[Option<&'a str>; 2]>,
    geoms: &'a [GeomAt],
}

impl<'a> Named<'a> {
    fn new(root: &'a Element, geoms: &'a [GeomAt]) -> Self {
        let pairs = root.children_named("contact").flat_map(|contact| contact.children_named("pair"));
        Self { pairs: pairs.map(|pair| [pair.text_of("geom1"), pair.text_of("geom2")]).collect(), geoms }
    }

    fn name_of(&self, part: usize, shape: usize) -> Option<&str> {
        self.geoms.iter().find(|at| at.part == part && at.shape == shape).map(|at| at.geom.name.as_str())
    }

    /// Keeps the shapes of two parts apart, but for those that are named.
    fn keep_apart(&self, one: usize, other: usize, assembly: &mut Assembly) {
        for (i, &a) in assembly.shapes[one].iter().enumerate() {
            for (j, &b) in assembly.shapes[other].iter().enumerate() {
                let pair = [self.name_of(one, i), self.name_of(other, j)];
                let reversed = [pair[1], pair[0]];
                if a != b && !self.pairs.contains(&pair) && !self.pairs.contains(&reversed) {
                    assembly.builder.filter_shapes(a, b);
                }
            }
        }
    }
}

/// A body and what holds its chain do not meet: the links between them are of one body in the file.
pub(super) fn keep_chains_apart(
    chains: &[(usize, usize)],
    parts: &[Part],
    geoms: &[GeomAt],
    root: &Element,
    assembly: &mut Assembly,
) {
    let named = Named::new(root, geoms);
    for &(body, links) in chains {
        let Some(holder) = parts[body - links].parent.map(|part| assembly.owner[part].0) else { continue };
        if holder.is_world() {
            continue;
        }
        let of = |assembly: &Assembly, owner| -> Vec<usize> {
            (0..parts.len()).filter(|&part| assembly.owner[part].0 == owner).collect()
        };
        let (above, own) = (of(assembly, holder), of(assembly, assembly.owner[body].0));
        for &one in &above {
            own.iter().for_each(|&other| named.keep_apart(one, other, assembly));
        }
    }
}

/// Keeps excluded bodies apart, except in pairs that the file names.
pub(super) fn exclude(root: &Element, parts: &[Part], geoms: &[GeomAt], assembly: &mut Assembly, log: &mut Log) {
    let named = Named::new(root, geoms);
    let excluded = root.children_named("contact").flat_map(|contact| contact.children_named("exclude"));
    for element in excluded {
        let mut ends = Vec::new();
        for end in ["body1", "body2"] {
            let Some(name) = element.needed(log, end) else { continue };
            match parts.iter().position(|part| part.name == name) {
                Some(part) => ends.push(part),
                None => log.fault(element.place, format!("there is no body `{name}`"), "name a body"),
            }
        }
        let [one, other] = ends[..] else { continue };
        named.keep_apart(one, other, assembly);
    }
}
