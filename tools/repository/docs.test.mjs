/** Everything that documents and comments refer to exists: rules, files, scripts and settings. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');
/**
 * @param {string} text
 * @param {RegExp} pattern with one group
 */
const groups = (text, pattern) => [...text.matchAll(pattern)].map(([, group = '']) => group);

const files = repositoryFiles();
const written = files.filter(
  (file) =>
    /\.(?:tsx?|mjs|css|sql|md|html|tsv|conf|jcfg)$/.test(file) &&
    file !== 'tools/repository/docs.test.mjs' &&
    !file.startsWith('server/migrations/meta/'),
);
const documents = written.filter((file) => file.endsWith('.md') && !file.startsWith('bench/results/'));

/** Papers that are not in the repository; `PARALLEL SAFE` is SQL. */
const OUTSIDE =
  /\b(?:PRODUCT|HOUSE|DESIGN)\b|(?<!PARALLEL )\bSAFE\b|\bUI "|\b[Tt]he specification\b|\b[Ss]pecification(?: section)? [\d`]/u;

test('nothing refers to papers outside the repository', () => {
  const violations = written.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (OUTSIDE.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(violations).toEqual([]);
});

test('every cited rule of docs/product.md exists exactly once', () => {
  const product = read('docs/product.md');
  const rules = groups(product, /^- \*\*(\d+\.\d+)\*\*/gm);
  expect(rules).toEqual([...new Set(rules)]);
  const known = new Set([...rules, ...groups(product, /^## (\d+)\. /gm)]);
  const violations = written.flatMap((file) =>
    [
      ...read(file).matchAll(/docs\/product\.md(?:((?:#\d+(?:\.\d+)?(?:, | and )?)+)|[ ,]+(?:section |rule )?(\d))/g),
    ].flatMap(([whole, cited, bare]) =>
      bare
        ? [`${file}: write ${whole} with a #`]
        : groups(cited ?? '', /#(\d+(?:\.\d+)?)/g)
            .filter((rule) => !known.has(rule))
            .map((rule) => `${file}: there is no rule ${rule}`),
    ),
  );
  expect(violations).toEqual([]);
});

test('decisions are numbered, listed and cited by four digits', () => {
  const decisions = files
    .filter((file) => /^docs\/decisions\/(?!README)/.test(file))
    .map((file) => path.basename(file));
  const listed = groups(read('docs/decisions/README.md'), /\]\((\d{4}-[\w-]+\.md)\)/g);
  expect(listed).toEqual(decisions.toSorted());
  const numbers = decisions.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
  const violations = written.flatMap((file) =>
    groups(read(file), /\bdecisions? (\d+)/gi)
      .filter((number) => !numbers.includes(number))
      .map((number) => `${file}: there is no decision ${number}`),
  );
  expect(violations).toEqual([]);
});

test('files and folders that documents name exist', () => {
  const folders = new Set(
    files.flatMap((file) => file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  );
  const paths = [...files, ...folders];
  /**
   * @param {string} from
   * @param {string} name
   */
  const exists = (from, name) => {
    const bare = name.replace(/\/$/, '');
    const beside = path.posix.join(path.posix.dirname(from), bare);
    return paths.some((one) => one === bare || one === beside || one.endsWith(`/${bare}`));
  };
  const violations = documents.flatMap((file) => {
    const text = read(file);
    const named = groups(
      text,
      /`((?!\/|[^`]*\bdist\/)(?:[\w.@/-]+\.(?:tsx?|mjs|md|json|sql|css|tsv|conf|jcfg|html|yaml)|[\w.-]+\/[\w./-]*\/))`/g,
    );
    const linked = groups(text, /\]\((?!https?:|#|mailto:)([^)#\s]+)/g);
    return [
      ...named.filter((name) => !exists(file, name)),
      ...linked.filter((link) => !paths.includes(path.posix.join(path.posix.dirname(file), link).replace(/\/$/, ''))),
    ].map((name) => `${file}: ${name}`);
  });
  expect(violations).toEqual([]);
});

test('the map names every feature of the server, and links to its rules', () => {
  const map = read('docs/architecture.md');
  const features = new Set(files.flatMap((file) => groups(file, /^server\/src\/features\/([^/]+)\//g)));
  expect(features.size).toBeGreaterThan(8);
  expect([...features].filter((feature) => !map.includes(`**${feature}**`))).toEqual([]);
  // Its detailed rules, and how long it keeps its data.
  const rules = [...features].map((feature) => `server/src/features/${feature}/README.md`);
  expect(rules.filter((file) => !files.includes(file) || !map.includes(`(../${file})`))).toEqual([]);
});

test('the map names every file of the contract that belongs to no feature', () => {
  const map = read('docs/architecture.md');
  const features = new Set(files.flatMap((file) => groups(file, /^(?:server|web)\/src\/features\/([^/]+)\//g)));
  const shared = files
    .flatMap((file) => groups(file, /^contract\/src\/(?:\w+\/)?(\w+)\.ts$/g))
    .filter((name) => !features.has(name));
  expect(shared.length).toBeGreaterThan(8);
  expect(shared.filter((name) => !map.includes(`\`${name}.ts\``))).toEqual([]);
});

test('scripts that documents name exist', () => {
  /** @param {string} file */
  const scripts = (file) => Object.keys(JSON.parse(read(file)).scripts ?? {});
  const violations = documents.flatMap((file) =>
    [...read(file).matchAll(/npm (?:run (?:-w (\w+) )?([\w:-]+)|(start|test)\b)/g)]
      .filter(([, workspace, script, short]) => {
        const known = scripts(workspace ? `${workspace}/package.json` : 'package.json');
        return !known.includes(script ?? short ?? '');
      })
      .map(([whole]) => `${file}: ${whole}`),
  );
  expect(violations).toEqual([]);
});

test('metrics that operators are told to watch exist', () => {
  const named = groups(read('docs/operate.md'), /`((?:mail|stomp|video)_[a-z_]+)`/g);
  const server = files
    .filter((file) => /^server\/src\/.*\.ts$/.test(file))
    .map(read)
    .join('\n');
  expect(named.filter((name) => !server.includes(`'${name}'`))).toEqual([]);
});

test('README names every setting of config.ts and config/, with the limits that are set there', () => {
  const config = files
    .filter((file) => /^server\/src\/platform\/config(?:\.ts|\/.*\.settings\.ts)$/.test(file))
    .map(read)
    .join('\n');
  const readme = read('README.md');
  const table = groups(readme, /^\| (`[A-Z].*?) \|/gm).flatMap((cell) => groups(cell, /`([A-Z\d_]+)`/g));
  const schema = groups(config, /const (?:settings = z\.object\(|\w+Settings = )\{\n(.*?)\n\}/gsu).join('\n');
  const settings = groups(schema, /^ {2}([A-Z][A-Z\d_]+): /gm);
  const limits = Object.fromEntries(
    [...(/const LIMITS = \{\n(.*?)\n\}/su.exec(config)?.[1] ?? '').matchAll(/^ {2}(\w+): '([^']+)'/gm)].map(
      ([, name = '', value]) => [`LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`, value],
    ),
  );
  expect(settings.length).toBeGreaterThan(20);
  expect(Object.keys(limits).length).toBeGreaterThan(10);
  // Set only by `npm run dev`.
  const known = [...settings.filter((name) => name !== 'FIELDROOM_DEV'), ...Object.keys(limits)];
  expect(table.toSorted()).toEqual(known.toSorted());
  const stated = Object.fromEntries(
    [...readme.matchAll(/^\| `(LIMIT_[A-Z_]+)` \|.*\| ([^|]+) \|$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(stated).toEqual(limits);
  const levels = groups(/const LOG_LEVELS = \[(.*?)\]/u.exec(config)?.[1] ?? '', /'(\w+)'/g);
  expect(/`LOG_LEVEL` \| (.*?) \|/u.exec(readme)?.[1]).toBe(levels.join(', '));
});
