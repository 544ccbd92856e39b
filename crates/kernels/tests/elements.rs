//! Elastic elements against their energies by finite differences, and against what must hold of any of them.

use drystone_kernels::double::elements::Sym2;
use drystone_kernels::double::elements::bending::{FlatFold, Fold, turned};
use drystone_kernels::double::elements::membrane::{Membrane, SheetModuli};
use drystone_kernels::double::elements::rubber_sheet::RubberSheet;
use drystone_kernels::double::elements::spring::Spring;
use drystone_kernels::double::elements::tetrahedron::Tetrahedron;
use drystone_kernels::double::math::{Mat3, Vec3};
use drystone_random::{Random, for_seeds};

const MU: f64 = 3.0;
const LAMBDA: f64 = 5.0;

/// An element's energy, forces and blocks as functions of its particles.
trait Element<const N: usize> {
    fn energy(&self, x: [Vec3; N]) -> f64;
    fn force(&self, x: [Vec3; N], a: usize) -> Vec3;
    fn block(&self, x: [Vec3; N], a: usize, b: usize) -> Mat3;
}

fn vector(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

fn entries(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn rows(m: Mat3) -> [[f64; 3]; 3] {
    [m.r0, m.r1, m.r2].map(entries)
}

fn points<const N: usize>(random: &mut Random, rest: [[f64; 3]; N], off: f64) -> [Vec3; N] {
    rest.map(|at| vector([0, 1, 2].map(|axis| at[axis] + off * random.signed())))
}

fn moved<const N: usize>(x: [Vec3; N], particle: usize, axis: usize, by: f64) -> [Vec3; N] {
    let mut x = x;
    let mut at = entries(x[particle]);
    at[axis] += by;
    x[particle] = vector(at);
    x
}

/// Forces are minus the slope of the energy.
fn check_forces<const N: usize>(element: &impl Element<N>, x: [Vec3; N]) {
    let d = 1e-5;
    for a in 0..N {
        let force = entries(element.force(x, a));
        for axis in 0..3 {
            let slope = (element.energy(moved(x, a, axis, d)) - element.energy(moved(x, a, axis, -d))) / (2.0 * d);
            assert!((force[axis] + slope).abs() < 1e-8, "{} for {} of particle {a}, {axis}", force[axis], -slope);
        }
    }
}

/// Blocks are minus the slopes of the forces.
fn check_blocks<const N: usize>(element: &impl Element<N>, x: [Vec3; N]) {
    let d = 1e-5;
    for a in 0..N {
        for b in 0..N {
            let block = rows(element.block(x, a, b));
            for axis in 0..3 {
                let ahead = entries(element.force(moved(x, b, axis, d), a));
                let behind = entries(element.force(moved(x, b, axis, -d), a));
                for row in 0..3 {
                    let slope = (behind[row] - ahead[row]) / (2.0 * d);
                    assert!((block[row][axis] - slope).abs() < 1e-7, "{} for {slope}", block[row][axis]);
                }
            }
        }
    }
}

/// The matrix of all blocks is symmetric, and no motion gains by it.
fn check_positive<const N: usize>(element: &impl Element<N>, x: [Vec3; N], random: &mut Random) {
    let size = (0..N).map(|a| rows(element.block(x, a, a))).map(|m| m[0][0] + m[1][1] + m[2][2]).sum::<f64>();
    for a in 0..N {
        for b in 0..N {
            let (one, other) = (rows(element.block(x, a, b)), rows(element.block(x, b, a)));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((one[i][j] - other[j][i]).abs() <= 1e-12 * size);
                }
            }
        }
    }
    // The most negative direction, by iteration on what is left below a bound of the largest eigenvalue.
    let mut v = [(); N].map(|()| vector([0; 3].map(|_| random.signed())));
    for _ in 0..200 {
        let image = product(element, x, v);
        for a in 0..N {
            v[a] = v[a].scale(size).sub(image[a]);
        }
        let length = v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        v = v.map(|v| v.scale(1.0 / length));
    }
    let image = product(element, x, v);
    let lowest = (0..N).map(|a| v[a].dot(image[a])).sum::<f64>();
    assert!(lowest > -1e-12 * size, "an eigenvalue of {lowest} of {size}");
}

fn product<const N: usize>(element: &impl Element<N>, x: [Vec3; N], v: [Vec3; N]) -> [Vec3; N] {
    let mut image = [Vec3::default(); N];
    for a in 0..N {
        for b in 0..N {
            image[a] = image[a].add(element.block(x, a, b).mul(v[b]));
        }
    }
    image
}

/// Nothing pushes a rest shape that was only moved and turned, and forces on any shape neither push nor turn the whole.
fn check_balance<const N: usize>(element: &impl Element<N>, rest: [[f64; 3]; N], random: &mut Random) {
    let turn = random.rotation();
    let shift = vector([1.0, -2.0, 0.5]);
    let placed = rest.map(|at| {
        let at = turn.mul_vec3(at.into());
        vector([at.x, at.y, at.z]).add(shift)
    });
    for a in 0..N {
        assert!(element.force(placed, a).length() < 1e-12 * (MU + LAMBDA));
    }
    let x = points(random, rest, 0.4);
    let (mut push, mut torque) = (Vec3::default(), Vec3::default());
    for a in 0..N {
        let force = element.force(x, a);
        push = push.add(force);
        torque = torque.add(x[a].cross(force));
    }
    assert!(push.length() < 1e-12 && torque.length() < 1e-12, "{push:?}, {torque:?}");
}

/// A spring of stiffness 40 N/m.
struct SpringOf(f64);

impl Element<2> for SpringOf {
    fn energy(&self, x: [Vec3; 2]) -> f64 {
        let stretch = Spring::new(x[0], x[1], self.0).stretch;
        20.0 * stretch * stretch
    }

    fn force(&self, x: [Vec3; 2], a: usize) -> Vec3 {
        let spring = Spring::new(x[0], x[1], self.0);
        spring.force([40.0, -40.0][a] * spring.stretch)
    }

    fn block(&self, x: [Vec3; 2], a: usize, b: usize) -> Mat3 {
        let spring = Spring::new(x[0], x[1], self.0);
        let block = spring.block(40.0, 40.0 * spring.stretch);
        let columns = [0, 1, 2].map(|axis| block.mul(vector([0, 1, 2].map(|i| f64::from(i == axis)))));
        Mat3 { r0: columns[0], r1: columns[1], r2: columns[2] }.scale(if a == b { 1.0 } else { -1.0 })
    }
}

/// The triangle (0, 0), (1, 0), (0.3, 0.8) at rest: inverse of its edges and weights of its corners.
const SHEET: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.8, 0.0]];
const INVERSE: [f64; 3] = [1.0, -0.3 / 0.8, 1.0 / 0.8];
const WEIGHTS: [[f64; 2]; 3] = [[-1.0, 0.3 / 0.8 - 1.0 / 0.8], [1.0, -0.3 / 0.8], [0.0, 1.0 / 0.8]];

fn membrane(x: [Vec3; 3]) -> Membrane {
    Membrane::new(x[1].sub(x[0]), x[2].sub(x[0]), INVERSE[0], INVERSE[1], INVERSE[2])
}

struct Cloth(SheetModuli);

impl Element<3> for Cloth {
    fn energy(&self, x: [Vec3; 3]) -> f64 {
        let strain = membrane(x).strain();
        let stress = self.0.stress(strain);
        0.5 * (stress.xx * strain.xx + stress.yy * strain.yy + 2.0 * stress.xy * strain.xy)
    }

    fn force(&self, x: [Vec3; 3], a: usize) -> Vec3 {
        let at = membrane(x);
        at.force(self.0.stress(at.strain()), WEIGHTS[a][0], WEIGHTS[a][1])
    }

    fn block(&self, x: [Vec3; 3], a: usize, b: usize) -> Mat3 {
        let at = membrane(x);
        let pull = self.0.stress(at.strain()).positive_part();
        at.block(self.0, pull, WEIGHTS[a][0], WEIGHTS[a][1], WEIGHTS[b][0], WEIGHTS[b][1])
    }
}

struct Rubber;

impl Element<3> for Rubber {
    fn energy(&self, x: [Vec3; 3]) -> f64 {
        RubberSheet::new(membrane(x), MU, LAMBDA).energy()
    }

    fn force(&self, x: [Vec3; 3], a: usize) -> Vec3 {
        RubberSheet::new(membrane(x), MU, LAMBDA).force(WEIGHTS[a][0], WEIGHTS[a][1])
    }

    fn block(&self, x: [Vec3; 3], a: usize, b: usize) -> Mat3 {
        RubberSheet::new(membrane(x), MU, LAMBDA).block(WEIGHTS[a][0], WEIGHTS[a][1], WEIGHTS[b][0], WEIGHTS[b][1])
    }
}

/// A tetrahedron with edges along the axes: its weights are the axes.
struct Solid;

const SOLID: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn solid(x: [Vec3; 4]) -> Tetrahedron {
    Tetrahedron::new(x[1].sub(x[0]), x[2].sub(x[0]), x[3].sub(x[0]), MU, LAMBDA)
}

fn solid_weights(a: usize) -> Vec3 {
    vector([[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][a])
}

impl Element<4> for Solid {
    fn energy(&self, x: [Vec3; 4]) -> f64 {
        solid(x).energy()
    }

    fn force(&self, x: [Vec3; 4], a: usize) -> Vec3 {
        solid(x).force(solid_weights(a))
    }

    fn block(&self, x: [Vec3; 4], a: usize, b: usize) -> Mat3 {
        solid(x).block(solid_weights(a), solid_weights(b))
    }
}

/// The viscosity of a tetrahedron against the shape it had.
struct Viscous([Vec3; 4]);

impl Element<4> for Viscous {
    fn energy(&self, x: [Vec3; 4]) -> f64 {
        // ½ |½ (FᵀF − F₀ᵀF₀)|².
        let (now, then) = (solid(x), solid(self.0));
        let columns = |s: Tetrahedron| [s.f0, s.f1, s.f2];
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let strain = 0.5 * (columns(now)[i].dot(columns(now)[j]) - columns(then)[i].dot(columns(then)[j]));
                sum += 0.5 * strain * strain;
            }
        }
        sum
    }

    fn force(&self, x: [Vec3; 4], a: usize) -> Vec3 {
        solid(x).strained_since(solid(self.0), solid_weights(a)).neg()
    }

    fn block(&self, x: [Vec3; 4], a: usize, b: usize) -> Mat3 {
        solid(x).viscous_block(solid_weights(a), solid_weights(b))
    }
}

/// A hinge with the rest angle 0.4.
struct Hinge;

const HINGE: [[f64; 3]; 4] = [[0.3, 0.9, 0.0], [0.6, -0.7, 0.2], [0.0, 0.0, 0.0], [1.0, 0.1, 0.0]];

fn fold(x: [Vec3; 4]) -> Fold {
    Fold::new(x[0], x[1], x[2], x[3])
}

impl Element<4> for Hinge {
    fn energy(&self, x: [Vec3; 4]) -> f64 {
        let rest = fold(HINGE.map(vector)).angle;
        let turn = turned(rest, fold(x).angle);
        0.5 * turn * turn
    }

    fn force(&self, x: [Vec3; 4], a: usize) -> Vec3 {
        let rest = fold(HINGE.map(vector)).angle;
        let now = fold(x);
        [now.p, now.q, now.a, now.b][a].scale(-turned(rest, now.angle))
    }

    fn block(&self, x: [Vec3; 4], a: usize, b: usize) -> Mat3 {
        let now = fold(x);
        let slopes = [now.p, now.q, now.a, now.b];
        Mat3::outer(slopes[a], slopes[b])
    }
}

const CLOTHS: [SheetModuli; 2] = [
    SheetModuli { warp: 11.0, weft: 11.0, coupling: 5.0, shear: 3.0 },
    SheetModuli { warp: 20.0, weft: 7.0, coupling: 2.0, shear: 1.5 },
];

#[test]
fn forces_are_slopes_of_energies() {
    for_seeds(20, |random| {
        check_forces(&SpringOf(1.1), points(random, [[0.0; 3], [1.0, 0.0, 0.0]], 0.3));
        for moduli in CLOTHS {
            check_forces(&Cloth(moduli), points(random, SHEET, 0.2));
        }
        check_forces(&Rubber, points(random, SHEET, 0.2));
        check_forces(&Solid, points(random, SOLID, 0.5));
        let earlier = points(random, SOLID, 0.3);
        check_forces(&Viscous(earlier), points(random, SOLID, 0.3));
        check_forces(&Hinge, points(random, HINGE, 0.15));
    });
}

#[test]
fn blocks_are_slopes_of_forces_where_nothing_is_crushed() {
    for_seeds(20, |random| {
        let stretched = |random: &mut Random, by: f64| points(random, SHEET.map(|at| at.map(|x| by * x)), 0.05);
        check_blocks(&SpringOf(0.9), points(random, [[0.0; 3], [1.4, 0.0, 0.0]], 0.1));
        for moduli in CLOTHS {
            check_blocks(&Cloth(moduli), stretched(random, 1.4));
        }
        check_blocks(&Rubber, stretched(random, 1.2));
        check_blocks(&Solid, points(random, SOLID.map(|at| at.map(|x| 1.12 * x)), 0.01));
        let x = points(random, SOLID, 0.3);
        check_blocks(&Viscous(x), x);
    });
}

#[test]
fn no_motion_gains_by_a_block_however_crushed_or_turned_inside_out() {
    for_seeds(40, |random| {
        let off = random.range(0.1, 1.5);
        check_positive(&SpringOf(1.1), points(random, [[0.0; 3], [1.0, 0.0, 0.0]], off), random);
        for moduli in CLOTHS {
            check_positive(&Cloth(moduli), points(random, SHEET, off), random);
        }
        check_positive(&Rubber, points(random, SHEET, off), random);
        check_positive(&Solid, points(random, SOLID, off), random);
        let earlier = points(random, SOLID, off);
        check_positive(&Viscous(earlier), points(random, SOLID, off), random);
        check_positive(&Hinge, points(random, HINGE, off), random);
    });
}

#[test]
fn a_shape_at_rest_is_left_alone_and_no_element_pushes_the_whole() {
    for_seeds(20, |random| {
        check_balance(&SpringOf(1.0), [[0.0; 3], [1.0, 0.0, 0.0]], random);
        for moduli in CLOTHS {
            check_balance(&Cloth(moduli), SHEET, random);
        }
        check_balance(&Rubber, SHEET, random);
        check_balance(&Solid, SOLID, random);
        check_balance(&Viscous(SOLID.map(vector)), SOLID, random);
        check_balance(&Hinge, HINGE, random);
    });
}

/// A bar and a sheet pulled by a small strain answer with Young's modulus, and thin by Poisson's ratio.
#[test]
fn small_strains_follow_hookes_law() {
    let (young, poisson) = (7.0, 0.3);
    let mu = young / (2.0 * (1.0 + poisson));
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let e = 1e-6;
    let thinner = 1.0 - poisson * e;
    let bar = Tetrahedron::new(
        Vec3::new(1.0 + e, 0.0, 0.0),
        Vec3::new(0.0, thinner, 0.0),
        Vec3::new(0.0, 0.0, thinner),
        mu,
        lambda,
    );
    let pulled = bar.force(Vec3::new(-1.0, 0.0, 0.0));
    assert!((pulled.x / e - young).abs() < 1e-4 * young, "{} for {young}", pulled.x / e);
    assert!(bar.force(Vec3::new(0.0, -1.0, 0.0)).length() < 1e-4 * young * e);
    // In a sheet λ is that of plane stress.
    let plane = young * poisson / (1.0 - poisson * poisson);
    let sheet = Membrane { f0: Vec3::new(1.0 + e, 0.0, 0.0), f1: Vec3::new(0.0, thinner, 0.0) };
    let stress = SheetModuli::isotropic(mu, plane).stress(sheet.strain());
    assert!((stress.xx / e - young).abs() < 1e-4 * young && stress.yy.abs() < 1e-4 * young * e);
    let rubber = RubberSheet::new(sheet, mu, plane).force(-1.0, 0.0);
    assert!((rubber.x / e - young).abs() < 1e-4 * young);
}

/// Two triangles bent about their edge by θ: the fold is θ, and the flat form is 2 sin(θ/2).
#[test]
fn folds_tell_the_angle_they_were_bent_by() {
    let flat = [[0.2, 0.7, 0.0], [0.6, -0.4, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]].map(vector);
    let weights = FlatFold::new(flat[0], flat[1], flat[2], flat[3]);
    for angle in [-3.0, -1.0, -1e-6, 0.0, 1e-6, 0.5, 2.0, 3.1] {
        // Turns the second triangle about the x axis, which is the edge.
        let (sin, cos) = f64::sin_cos(angle);
        let mut bent = flat;
        bent[1] = Vec3::new(flat[1].x, flat[1].y * cos, flat[1].y * sin);
        let found = fold(bent).angle;
        assert!((found - angle).abs() < 1e-12, "{found} for {angle}");
        let sum = bent[0].scale(weights.p).add(bent[1].scale(weights.q));
        let sum = sum.add(bent[2].scale(weights.a)).add(bent[3].scale(weights.b));
        assert!((sum.length() - 2.0 * (0.5 * angle).sin().abs()).abs() < 1e-12);
    }
}

/// Energies of similar shapes: lengths do not matter per rest area or volume, and forces grow with the weights.
#[test]
fn elements_know_no_unit_of_length() {
    let small = Membrane::new(Vec3::new(1.1e-3, 0.0, 0.0), Vec3::new(0.2e-3, 1e-3, 0.0), 1e3, 0.0, 1e3);
    let large = Membrane::new(Vec3::new(1.1e3, 0.0, 0.0), Vec3::new(0.2e3, 1e3, 0.0), 1e-3, 0.0, 1e-3);
    let (s, l) = (small.strain(), large.strain());
    assert!((s.xx - l.xx).abs() < 1e-15 && (s.xy - l.xy).abs() < 1e-15 && (s.yy - l.yy).abs() < 1e-15);
    let x = HINGE.map(vector);
    let scaled = x.map(|x| x.scale(1e-4));
    assert!((fold(x).angle - fold(scaled).angle).abs() < 1e-14);
    assert!((fold(x).a.length() * 1e4 / fold(scaled).a.length() - 1.0).abs() < 1e-12);
}

#[test]
fn the_positive_part_keeps_what_is_positive() {
    for_seeds(50, |random| {
        let m = Sym2 { xx: random.signed(), yy: random.signed(), xy: random.signed() };
        let p = m.positive_part();
        let n = m.scale(-1.0).positive_part();
        // What is positive and what is negative make the whole, and neither knows of the other.
        for (kept, left, whole) in [(p.xx, n.xx, m.xx), (p.yy, n.yy, m.yy), (p.xy, n.xy, m.xy)] {
            assert!((kept - left - whole).abs() < 1e-15);
        }
        assert!(p.xx * p.yy - p.xy * p.xy > -1e-15 && p.xx >= -1e-15);
        assert!((p.xx * n.xx + p.xy * n.xy).abs() < 1e-14 && (p.xx * n.xy + p.xy * n.yy).abs() < 1e-14);
    });
    let zero = Sym2::default().positive_part();
    assert_eq!(zero, Sym2::default());
}
