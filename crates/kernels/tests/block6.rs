//! The 6×6 block of a body: a symmetric matrix, and its inverse.

use drystone_kernels::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};

/// Numbers from −1 to 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as f64 / f64::from(1u32 << 31) - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn motion(&mut self) -> Vec6 {
        Vec6 { l: self.vector(), a: self.vector() }
    }
}

/// A body of mass 2 with moments of inertia 0.1, 0.2 and 0.3.
fn inertia() -> Block6 {
    let aa = Sym3 { xx: 0.1, xy: 0.0, xz: 0.0, yy: 0.2, yz: 0.0, zz: 0.3 };
    Block6 { ll: Sym3::scaled_identity(2.0), al: Mat3::default(), aa }
}

/// `k` J Jᵀ of a spring along `n` at lever `r`, J = (n, r × n).
fn spring(k: f64, n: Vec3, r: Vec3) -> Block6 {
    let m = r.cross(n);
    Block6 { ll: Sym3::scaled_outer(n, k), al: Mat3::outer(m, n).scale(k), aa: Sym3::scaled_outer(m, k) }
}

fn random_block(random: &mut Random) -> Block6 {
    (0..4).fold(inertia(), |block, _| {
        let (n, r) = (random.vector(), random.vector());
        block.add(spring(20.0 + 19.0 * random.next(), n, r))
    })
}

fn size(v: Vec6) -> f64 {
    v.dot(v).sqrt()
}

#[test]
fn solving_undoes_multiplying() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (block, x) = (random_block(&mut random), random.motion());
        let error = block.solve(block.mul(x)).sub(x);
        assert!(size(error) < 1e-11 * size(x), "{error:?}");
    }
}

#[test]
fn the_block_is_symmetric_and_positive() {
    let mut random = Random(2);
    for _ in 0..200 {
        let (block, a, b) = (random_block(&mut random), random.motion(), random.motion());
        let (ab, ba) = (a.dot(block.mul(b)), b.dot(block.mul(a)));
        assert!((ab - ba).abs() < 1e-12 * (ab.abs() + 1.0), "{ab} and {ba}");
        assert!(a.dot(block.mul(a)) > 0.0);
    }
}

#[test]
fn a_free_body_follows_its_mass_and_moments() {
    let force = Vec6 { l: Vec3::new(2.0, -4.0, 6.0), a: Vec3::new(0.1, 0.2, -0.3) };
    let moved = inertia().solve(force);
    assert!(moved.l.sub(Vec3::new(1.0, -2.0, 3.0)).length() < 1e-15);
    assert!(moved.a.sub(Vec3::new(1.0, 1.0, -1.0)).length() < 1e-14);
}

/// A force F along a spring k gives the point of the spring w F / (1 + k w), with its inverse mass w = n·n/m + (r×n)·I⁻¹(r×n).
/// With the sign of the coupling turned, the body would turn the other way and the point would move otherwise.
#[test]
fn a_spring_off_the_centre_turns_the_body_the_right_way() {
    let (n, k, f) = (Vec3::new(1.0, 0.0, 0.0), 30.0, 5.0);
    for r in [Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, -0.5, 0.2), Vec3::new(0.3, 0.1, -0.7)] {
        let m = r.cross(n);
        let w = 1.0 / 2.0 + m.x * m.x / 0.1 + m.y * m.y / 0.2 + m.z * m.z / 0.3;
        let load = Vec6 { l: n.scale(f), a: m.scale(f) };
        let moved = inertia().add(spring(k, n, r)).solve(load);
        let point = moved.at(r).dot(n);
        assert!((point - w * f / (1.0 + k * w)).abs() < 1e-13, "{point}");
        assert!(moved.a.dot(m) > 0.0, "it turns with the moment");
        let mut turned = inertia().add(spring(k, n, r));
        turned.al = turned.al.scale(-1.0);
        assert!((turned.solve(load).at(r).dot(n) - point).abs() > 1e-3);
    }
}
