/**
 * Makes the contract light for pages. A page that calls an endpoint needs its method and path, and whether the answer
 * is a file; what only the server needs for its checks (shapes, access, problems) is left out of the build, and so are
 * schemas that no page uses. The tests run on the contract as it is written; the size of the built pages, and the file
 * described here, depend on this.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst, type Plugin } from 'vite';

/** What a page reads of an endpoint. */
const READ_BY_PAGES = new Set(['method', 'path', 'bytes']);

interface Node {
  type: string;
  start: number;
  end: number;
}

/**
 * In a module of the contract, everything computed while it loads is free of side effects. Bundlers cannot see that.
 */
const PURE = '/*@__PURE__*/ ';

/** The suffixes of a module's address for its parts: what needs zod, and the rest. */
const SCHEMAS = '?schemas';
export const REST = '?rest';
const MODULE = /\/contract\/src\/[^?]+\.ts(?:\?schemas|\?rest)?$/;
const PART = /\/contract\/src\/[^?]+\.ts\?(?:schemas|rest)$/;

export const contractForBrowser: Plugin = {
  name: 'fieldroom-contract',
  apply: 'build',
  // A part of a module is read from the module's own file.
  load: {
    filter: { id: PART },
    handler: (id) => readFileSync(fileOf(id), 'utf8'),
  },
  transform: {
    filter: { id: MODULE },
    handler(code, id) {
      const file = fileOf(id);
      const parts = splitModule(lighten(code), (other) => schemasIn(path.join(path.dirname(file), other)), file);
      const wanted = id.endsWith(SCHEMAS) ? parts.schemas : id.endsWith(REST) ? parts.rest : parts.whole;
      return { code: wanted, map: null, moduleSideEffects: false };
    },
  },
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const idle = chunks.filter(({ moduleIds }) => moduleIds.length > 0 && moduleIds.every((id) => IDLE.test(id)));
      for (const chunk of chunks)
        for (const { fileName } of idle) {
          const name = fileName.slice(fileName.lastIndexOf('/') + 1);
          const without = chunk.code.replace(`import"./${name}";`, '');
          if (without === chunk.code) continue;
          chunk.code = without;
          chunk.imports = chunk.imports.filter((file) => file !== fileName);
        }
    },
  },
};

/**
 * Modules without side effects. The bundler keeps an unused import of their chunk, and so would load zod in the room,
 * which parses nothing.
 */
const IDLE = /\/(?:contract\/src|node_modules\/zod)\//;

/** Takes a module of the contract. Returns it with endpoints cut down and all calls at its top level marked as pure. */
export function lighten(code: string): string {
  const edits: { start: number; end: number; text: string }[] = [];
  visit(parseAst(code, { lang: 'ts' }), (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      edits.push({ start: node.start, end: node.start, text: PURE });
    if (!isEndpoint(node)) return true;
    for (const property of node.arguments[0]!.properties)
      if (!READ_BY_PAGES.has(property.key?.name ?? ''))
        edits.push({ start: property.start, end: afterComma(code, property.end), text: '' });
    return false;
  });
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code);
}

/** Returns the file of a module or of one of its parts. */
const fileOf = (id: string) => id.replace(/\?.*$/, '');

type Import = Node & {
  source: { value: string };
  specifiers: { local: { name: string }; imported?: { name: string } }[];
};
type Declaration = Node & { declarations?: { id: Node }[]; id?: { name: string } };
interface Statement {
  node: Node;
  /** What it declares, without types: they are removed before the code runs. */
  names: string[];
  isExported: boolean;
  uses: ReadonlySet<string>;
}

/**
 * Divides a module into what needs zod and the rest: constants, addresses, plain rules. A page that shows a limit would
 * otherwise load all shapes of that feature, with zod, because a module is never in two files. Takes the code, and a
 * function that tells which names of another module need zod. Returns both parts, and a module that replaces the
 * original: it only re-exports, so that the parts do not import each other in a circle, in which one would run before
 * the values that it needs.
 */
export function splitModule(
  code: string,
  schemasOf: (module: string) => ReadonlySet<string>,
  file: string,
): { whole: string; rest: string; schemas: string; names: ReadonlySet<string> } {
  const { body } = parseAst(code, { lang: 'ts' }) as unknown as { body: Node[] };
  const imports = body.filter((node): node is Import => node.type === 'ImportDeclaration');
  const statements = body.filter(({ type }) => type !== 'ImportDeclaration').map(statementOf);
  const names = new Set(
    imports.flatMap(({ source: { value }, specifiers }) => {
      const found = value === ZOD ? null : value.startsWith('./') ? schemasOf(value) : NONE;
      return specifiers
        .filter(({ imported, local }) => found === null || found.has((imported ?? local).name))
        .map(({ local }) => local.name);
    }),
  );
  const needing = new Set<Statement>();
  // Each round finds what depends on the results of the previous one.
  for (let before = -1; before < needing.size;) {
    before = needing.size;
    for (const statement of statements)
      if (!needing.has(statement) && [...statement.uses].some((name) => names.has(name))) {
        needing.add(statement);
        for (const name of statement.names) names.add(name);
      }
  }
  const own = new Set([...needing].flatMap((statement) => statement.names));
  if (own.size === 0) return { whole: code, rest: code, schemas: '', names: own };
  const textOf = (chosen: (statement: Statement) => boolean) =>
    [...imports, ...statements.filter(chosen).map(({ node }) => node)].map(({ start, end }) => code.slice(start, end));
  const others = statements.filter((statement) => !needing.has(statement));
  const taken = others.flatMap((statement) => statement.names.filter((name) => usedBy(needing, name)));
  const hidden = others.flatMap(({ isExported, names: some }) => (isExported ? [] : some));
  const name = path.basename(file);
  return {
    whole: [
      `export * from './${name}${REST}';`,
      `export { ${exportedBy(needing).join(', ')} } from './${name}${SCHEMAS}';`,
    ].join('\n'),
    rest: [
      ...textOf((statement) => !needing.has(statement)),
      `export { ${taken.filter((each) => hidden.includes(each)).join(', ')} };`,
    ].join('\n'),
    schemas: [
      `import { ${taken.join(', ')} } from './${name}${REST}';`,
      ...textOf((statement) => needing.has(statement)),
    ].join('\n'),
    names: own,
  };
}

const ZOD = 'zod/mini';
const NONE: ReadonlySet<string> = new Set();

const usedBy = (statements: ReadonlySet<Statement>, name: string) => [...statements].some(({ uses }) => uses.has(name));
const exportedBy = (statements: ReadonlySet<Statement>) =>
  [...statements].flatMap(({ isExported, names }) => (isExported ? names : []));

function statementOf(node: Node): Statement {
  const { declaration } = node as Node & { declaration?: Declaration | null };
  const declared: Declaration = declaration ?? node;
  const isType = declared.type.startsWith('TS') && declared.type !== 'TSEnumDeclaration';
  const names = isType
    ? []
    : (declared.declarations?.flatMap(({ id }) => namesOf(id)) ?? (declared.id ? [declared.id.name] : []));
  const uses = new Set<string>();
  collectUses(node, NONE, uses);
  return { node, names, isExported: node.type === 'ExportNamedDeclaration', uses };
}

/** The names that a pattern declares: `a`, `{ b, c: d }`, `[e, f = 1]`, `...g`. Takes null for a gap in a list. */
function namesOf(pattern: Node | null): string[] {
  if (pattern === null) return [];
  const { name, properties, elements, value, left, argument } = pattern as Node & {
    name?: string;
    properties?: Node[];
    elements?: (Node | null)[];
    value?: Node;
    left?: Node;
    argument?: Node;
  };
  if (pattern.type === 'Identifier') return [name!];
  const inner = value ?? left ?? argument;
  return [...(properties ?? elements ?? []), ...(inner ? [inner] : [])].flatMap(namesOf);
}

/** Types are removed before the code runs; these nodes hold code. */
const TYPE = /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression|Enum)/;

/** Adds the names that code refers to. `inner`: names of enclosing parameters, which mean something else. */
function collectUses(value: unknown, inner: ReadonlySet<string>, uses: Set<string>): void {
  visit(value, (node) => {
    if (TYPE.test(node.type)) return false;
    const { name, computed, key, property, params } = node as Node & {
      name?: string;
      computed?: boolean;
      key?: Node;
      property?: Node;
      params?: Node[];
    };
    if (node.type === 'Identifier' && !inner.has(name!)) uses.add(name!);
    // A property's name is not a reference. In `{ a }` it is also the value.
    const word = computed ? undefined : (key ?? property);
    if (!word && !params) return true;
    const own = params ? [...params, ...localsOf(node)].flatMap(namesOf) : [];
    for (const part of Object.values(node)) if (part !== word) collectUses(part, new Set([...inner, ...own]), uses);
    return false;
  });
}

/** Names that a function declares in its whole body; those in an inner block are left out, which is safe. */
function localsOf(node: Node): Node[] {
  const { body } = node as Node & { body?: Node & { body?: unknown } };
  const statements = (Array.isArray(body?.body) ? body.body : []) as Declaration[];
  return statements.flatMap((statement) => statement.declarations?.map(({ id }) => id) ?? []);
}

/** By file: the names that need zod. */
const known = new Map<string, ReadonlySet<string>>();

function schemasIn(file: string): ReadonlySet<string> {
  const found = known.get(file);
  if (found) return found;
  const code = lighten(readFileSync(file, 'utf8'));
  const { names } = splitModule(code, (other) => schemasIn(path.join(path.dirname(file), other)), file);
  known.set(file, names);
  return names;
}

type EndpointCall = Node & { arguments: { properties: (Node & { key?: { name: string } })[] }[] };

function isEndpoint(node: Node): node is EndpointCall {
  const { callee } = node as Node & { callee?: { name?: string } };
  return node.type === 'CallExpression' && callee?.name === 'endpoint';
}

const isFunction = ({ type }: Node) => /^(?:Arrow)?Function/.test(type);

const afterComma = (code: string, end: number) => end + /^\s*,?/.exec(code.slice(end))![0].length;

/** Calls `enter` for every node, parents first; if it returns `false`, the children are skipped. */
function visit(value: unknown, enter: (node: Node) => boolean): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value && !enter(value as Node)) return;
  for (const part of Object.values(value)) visit(part, enter);
}
