// A JSON schema as a flat list of fields: pure, the form draws what stands here.

/**
 * @typedef {object} Field
 * @property {string} key with dots between groups
 * @property {'number' | 'integer' | 'boolean' | 'choice' | 'text'} kind
 * @property {boolean} optional whether null is a value
 * @property {string} description
 * @property {any} value
 * @property {number} [min]
 * @property {number} [max]
 * @property {{value: any, description: string}[]} [choices]
 */

/** @param {any} schema @param {any} values @returns {Field[]} */
export function fieldsOf(schema, values) {
  const root = schema ?? {};
  const list = [];
  walk(root, resolve(root, root), values ?? {}, '', list);
  return list;
}

function walk(root, schema, values, prefix, list) {
  for (const [name, raw] of Object.entries(schema.properties ?? {})) {
    const property = resolve(root, raw);
    const value = values?.[name] ?? raw.default ?? property.default ?? null;
    const key = prefix + name;
    if (property.properties && !property.optional) walk(root, property, value, `${key}.`, list);
    else {
      const field = fieldOf(key, property, value);
      if (field) list.push(field);
    }
  }
}

/** Follows references and takes `null` out of what may stand there. */
function resolve(root, raw) {
  let schema = raw;
  let optional = false;
  for (let depth = 0; depth < 8; depth++) {
    const only = (list) => list.filter((each) => each.type !== 'null');
    if (schema.$ref) schema = { ...lookup(root, schema.$ref), ...omit(schema, '$ref') };
    else if (schema.allOf?.length === 1) schema = { ...schema.allOf[0], ...omit(schema, 'allOf') };
    else if (schema.anyOf && only(schema.anyOf).length === 1) {
      optional ||= schema.anyOf.length > 1;
      schema = { ...only(schema.anyOf)[0], ...omit(schema, 'anyOf') };
    } else break;
  }
  if (Array.isArray(schema.type)) {
    optional ||= schema.type.includes('null');
    schema = { ...schema, type: schema.type.find((type) => type !== 'null') };
  }
  return { ...schema, optional };
}

function lookup(root, reference) {
  return reference.replace(/^#\//, '').split('/').reduce((at, name) => at?.[name], root) ?? {};
}

function omit(object, name) {
  const { [name]: _gone, ...rest } = object;
  return rest;
}

/** @returns {Field | null} null for what no form can hold */
function fieldOf(key, schema, value) {
  const base = { key, optional: schema.optional, description: plain(schema.description ?? ''), value };
  const choices = choicesOf(schema);
  if (choices) return { ...base, kind: 'choice', choices };
  if (schema.type === 'boolean') return { ...base, kind: 'boolean' };
  if (schema.type === 'integer' || schema.type === 'number') {
    return { ...base, kind: schema.type, min: schema.minimum ?? schema.exclusiveMinimum, max: schema.maximum ?? schema.exclusiveMaximum };
  }
  return schema.type === 'string' ? { ...base, kind: 'text' } : null;
}

function choicesOf(schema) {
  if (schema.enum) return schema.enum.filter((value) => value !== null).map((value) => ({ value, description: '' }));
  const options = schema.oneOf ?? schema.anyOf;
  if (!options) return null;
  const choices = options.flatMap((option) => (option.enum ?? ('const' in option ? [option.const] : [])).map((value) => ({ value, description: plain(option.description ?? '') })));
  return choices.length ? choices : null;
}

/** Words of a documentation comment without its marks. @param {string} words */
function plain(words) {
  return words.replace(/\[`([^`\]]+)`\](\([^)]*\))?/g, '$1').replace(/`/g, '').replace(/\\([[\]])/g, '$1').replace(/\s+/g, ' ').trim();
}

/** What was typed, as the value to send. @param {Field} field @param {string | boolean} typed */
export function valueOf(field, typed) {
  if (field.kind === 'boolean') return typed === '' ? null : typed === true || typed === 'true';
  if (typed === '' && field.optional) return null;
  if (field.kind === 'choice') return field.choices?.find(({ value }) => String(value) === typed)?.value ?? typed;
  if (field.kind === 'text') return typed;
  const number = Number(typed);
  if (typed === '' || !Number.isFinite(number)) throw new RangeError(`${field.key} wants a number`);
  if (field.kind === 'integer' && !Number.isInteger(number)) throw new RangeError(`${field.key} wants a whole number`);
  if (field.min !== undefined && number < field.min) throw new RangeError(`${field.key} is at least ${field.min}`);
  if (field.max !== undefined && number > field.max) throw new RangeError(`${field.key} is at most ${field.max}`);
  return number;
}
