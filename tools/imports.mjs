/**
 * Checks that imports point one way (`.dependency-cruiser.mjs`) and that only `config.ts` reads the environment. Prints
 * each violation and where the code belongs; exits 1 if there is any.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { repositoryFiles } from './repository/files.mjs';
import { run } from './run.mjs';

await bootstrap(import.meta.url);

const FOLDERS = ['contract/src', 'server/src', 'server/tests', 'web/src'];
const sources = repositoryFiles().filter(
  (file) => /\.tsx?$/.test(file) && FOLDERS.some((folder) => file.startsWith(`${folder}/`)),
);

/** @type {string[]} */
const violations = [];

const { output } = await run('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...FOLDERS]);
/**
 * @typedef {object} Cruise
 * @property {{ source: string }[]} modules
 * @property {{ violations: { rule: { name: string }, from: string, to: string, cycle?: { name: string }[], comment?:
 *   string }[],
 *   ruleSetUsed: { forbidden: { name: string, comment: string }[] } }} summary
 */
/** @type {Cruise | undefined} */
let cruise;
try {
  cruise = JSON.parse(output);
} catch {
  violations.push(`dependency-cruiser did not run:\n${output.trim()}`);
}
if (cruise) {
  // With an unsuitable parser it sees no files and reports no violations, which must not pass.
  const seen = new Set(cruise.modules.map(({ source }) => source));
  const unseen = sources.filter((source) => !seen.has(source));
  if (unseen.length > 0)
    violations.push(`dependency-cruiser did not see ${unseen.length} files, among them ${unseen[0]}`);
  const comments = new Map(cruise.summary.ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment]));
  for (const { rule, from, to, cycle } of cruise.summary.violations)
    violations.push(
      [
        from,
        `  → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`,
        `  ${comments.get(rule.name)} [${rule.name}]`,
      ].join('\n'),
    );
}

for (const source of sources) {
  if (!source.startsWith('server/src/') || /\.(?:test|fixture)\.ts$|^server\/src\/platform\/config\.ts/.test(source))
    continue;
  const lines = (await readFile(path.join(root, source), 'utf8')).split('\n');
  lines.forEach((line, index) => {
    if (/\bprocess\.env\b/.test(line))
      violations.push(
        [
          `${source}:${index + 1}`,
          '  Only config.ts reads the environment: add the setting in platform/config/ and pass the value on. [environment]',
        ].join('\n'),
      );
  });
}

if (violations.length > 0) console.log(violations.join('\n\n'));
console.log(`${sources.length} files, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
