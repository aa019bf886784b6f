/**
 * Makes the contract light for pages. A page that calls an endpoint needs its method and path, and whether a file comes;
 * what the server checks by (shapes, access, problems) is left out of the build, and so are schemas that no page uses.
 * The tests run on the contract as it is written; of the built pages, the size and what is said here depend on this.
 */
import { parseAst, type Plugin } from 'vite';

/** What a page reads of an endpoint. */
const READ_BY_PAGES = new Set(['method', 'path', 'bytes']);

interface Node {
  type: string;
  start: number;
  end: number;
}

/** In a module of the contract, everything computed while it loads is free of side effects. Bundlers cannot see that. */
const PURE = '/*@__PURE__*/ ';

export const contractForBrowser: Plugin = {
  name: 'fieldroom-contract',
  apply: 'build',
  transform: {
    filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
    handler: (code) => ({ code: lighten(code), map: null }),
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
 * Modules that do nothing when they are loaded. The bundler keeps an import of their chunk from which nothing is taken,
 * and so would load zod in the room, which parses nothing.
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

type EndpointCall = Node & { arguments: { properties: (Node & { key?: { name: string } })[] }[] };

function isEndpoint(node: Node): node is EndpointCall {
  const { callee } = node as Node & { callee?: { name?: string } };
  return node.type === 'CallExpression' && callee?.name === 'endpoint';
}

const isFunction = ({ type }: Node) => /^(?:Arrow)?Function/.test(type);

const afterComma = (code: string, end: number) => end + /^\s*,?/.exec(code.slice(end))![0].length;

/** Calls `enter` for every node, parents first; what it answers with `false` is not gone into. */
function visit(value: unknown, enter: (node: Node) => boolean): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value && !enter(value as Node)) return;
  for (const part of Object.values(value)) visit(part, enter);
}
