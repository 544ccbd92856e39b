// Where a body is, read in the vertex shader from textures by the body's index: no script runs per body.

/** Bodies per row of a texture. */
export const ROW = 256;

/** Declarations and functions shared by every material that follows bodies. */
export const POSE = /* glsl */ `
uniform highp sampler2D dsPositionA;
uniform highp sampler2D dsPositionB;
uniform highp isampler2D dsTurnA;
uniform highp isampler2D dsTurnB;
uniform highp sampler2D dsAffine;
uniform float dsMix;
uniform bool dsHasAffine;

vec3 dsTriple(highp sampler2D from, int body) {
  ivec2 at = ivec2(3 * (body % ${ROW}), body / ${ROW});
  return vec3(texelFetch(from, at, 0).r, texelFetch(from, at + ivec2(1, 0), 0).r, texelFetch(from, at + ivec2(2, 0), 0).r);
}

mat3 dsMatrix(vec4 q) {
  vec3 x = q.xyz;
  return mat3(
    1.0 - 2.0 * (x.y * x.y + x.z * x.z), 2.0 * (x.x * x.y + x.z * q.w), 2.0 * (x.x * x.z - x.y * q.w),
    2.0 * (x.x * x.y - x.z * q.w), 1.0 - 2.0 * (x.x * x.x + x.z * x.z), 2.0 * (x.y * x.z + x.x * q.w),
    2.0 * (x.x * x.z + x.y * q.w), 2.0 * (x.y * x.z - x.x * q.w), 1.0 - 2.0 * (x.x * x.x + x.y * x.y));
}

vec3 dsPlace(int body) {
  return body < 0 ? vec3(0.0) : mix(dsTriple(dsPositionA, body), dsTriple(dsPositionB, body), dsMix);
}

mat3 dsTurn(int body) {
  if (body < 0) return mat3(1.0);
  if (dsHasAffine) {
    ivec2 at = ivec2(9 * (body % ${ROW}), body / ${ROW});
    mat3 rows;
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) rows[j][k] = texelFetch(dsAffine, at + ivec2(3 * k + j, 0), 0).r;
    return rows;
  }
  ivec2 at = ivec2(body % ${ROW}, body / ${ROW});
  vec4 a = vec4(texelFetch(dsTurnA, at, 0)) / 32767.0;
  vec4 b = vec4(texelFetch(dsTurnB, at, 0)) / 32767.0;
  // The short way round.
  return dsMatrix(normalize(mix(a, dot(a, b) < 0.0 ? -b : b, dsMix)));
}

// What turns normals when a body is sheared: the matrix of cofactors.
vec3 dsNormal(mat3 m, vec3 n) {
  return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * n;
}
`;

/** The part of a body an instance is. */
export const PART = /* glsl */ `
attribute float dsBody;
attribute vec3 dsAt;
attribute vec4 dsWay;
`;

/** Colours of bodies: their own, or what is asked to be seen of them. */
export const COLOR = /* glsl */ `
attribute vec3 dsOwn;
uniform highp usampler2D dsMarks;
uniform highp usampler2D dsGroups;
uniform highp sampler2D dsHeat;
uniform int dsColoring;
uniform int dsSelected;
uniform bool dsSleepers;

vec3 dsHue(uint number) {
  float turn = fract(float(number) * 0.61803398875);
  vec3 wheel = clamp(abs(fract(turn + vec3(0.0, 0.6667, 0.3333)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
  return mix(vec3(0.62), wheel, 0.55) * mix(0.55, 0.95, fract(float(number) * 0.381966));
}

vec3 dsWarm(float share) {
  vec3 low = mix(vec3(0.16, 0.28, 0.42), vec3(0.85, 0.62, 0.22), smoothstep(0.0, 0.5, share));
  return mix(low, vec3(0.85, 0.12, 0.06), smoothstep(0.5, 1.0, share));
}

vec3 dsPaint(int body) {
  if (body < 0) return dsColoring == 0 ? dsOwn : vec3(0.5);
  ivec2 at = ivec2(body % ${ROW}, body / ${ROW});
  uvec2 groups = texelFetch(dsGroups, at, 0).rg;
  vec3 color = dsOwn;
  if (dsColoring == 1) color = groups.r == 65535u ? vec3(0.5) : dsHue(groups.r);
  if (dsColoring == 2) color = groups.g == 65535u ? vec3(0.5) : dsHue(groups.g + 3u);
  if (dsColoring == 3) color = dsWarm(texelFetch(dsHeat, at, 0).r);
  uint marks = texelFetch(dsMarks, at, 0).r;
  if (dsSleepers && (marks & 1u) != 0u) color = mix(vec3(dot(color, vec3(0.3, 0.6, 0.1))), vec3(0.35, 0.42, 0.55), 0.6) * 0.6;
  if ((marks & 2u) != 0u) color = mix(color, vec3(0.45, 0.75, 0.95), 0.6);
  if ((marks & 4u) != 0u) color = vec3(0.8, 0.1, 0.7);
  return body == dsSelected ? mix(color, vec3(1.0, 0.62, 0.12), 0.55) : color;
}
`;

/** Puts the pose into a material of three.js. @param {any} material @param {Record<string, {value: any}>} uniforms @param {{color?: boolean, ground?: boolean}} [what] */
export function followBodies(material, uniforms, what = {}) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const color = what.color ? COLOR + 'varying vec3 dsPainted;\n' : '';
    const place = what.ground ? 'varying vec3 dsWorld;\n' : '';
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${POSE}${PART}${color}${place}`)
      .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = dsNormal(dsTurn(int(dsBody)), dsMatrix(dsWay) * normal);')
      .replace('#include <begin_vertex>', `
        vec3 transformed = dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * (dsAt + dsMatrix(dsWay) * position);
        ${what.color ? 'dsPainted = dsPaint(int(dsBody));' : ''}
        ${what.ground ? 'dsWorld = transformed;' : ''}`);
    if (what.color) {
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 dsPainted;')
        .replace('#include <color_fragment>', 'diffuseColor.rgb *= dsPainted;');
    }
    if (what.ground) {
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${GRID}`)
        .replace('#include <color_fragment>', 'diffuseColor.rgb = dsGround(diffuseColor.rgb);');
    }
  };
  material.customProgramCacheKey = () => `drystone ${JSON.stringify(what)}`;
  return material;
}

/** Lines on the ground at two spacings, fading before they become noise. */
const GRID = /* glsl */ `
varying vec3 dsWorld;
uniform vec3 dsUp;
uniform vec3 dsOrigin;
uniform vec3 dsLine;
uniform float dsSpacing;

float dsLines(vec2 at, float spacing) {
  vec2 p = at / spacing;
  vec2 width = max(fwidth(p), vec2(1e-6));
  vec2 near = abs(fract(p - 0.5) - 0.5) / width;
  float fade = clamp(1.0 - 4.0 * max(width.x, width.y), 0.0, 1.0);
  return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
}

vec3 dsGround(vec3 color) {
  vec3 a = normalize(cross(dsUp, abs(dsUp.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  vec3 whole = dsWorld + dsOrigin;
  vec2 at = vec2(dot(whole, a), dot(whole, cross(dsUp, a)));
  float lines = max(0.35 * dsLines(at, dsSpacing), 0.75 * dsLines(at, 5.0 * dsSpacing));
  return mix(color, dsLine, lines);
}
`;
