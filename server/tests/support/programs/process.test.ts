/** Ports for programs of tests: nobody gets one that is promised to somebody else. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { freePort } from './process.ts';

/** Nobody else takes ports here. */
const FEW = { from: 19_000, until: 19_005 };

test.runIf(process.platform === 'linux')(
  'a port is given once, also to other processes, although nobody listens yet',
  async () => {
    const ports: number[] = [];
    for (let port = FEW.from; port < FEW.until - 1; port += 1) ports.push(await freePort(FEW));
    const program = `import(${JSON.stringify(import.meta.resolve('./process.ts'))})
      .then(({ freePort }) => freePort(${JSON.stringify(FEW)})).then((port) => console.log(port))`;
    ports.push(Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })));
    expect(ports.toSorted((a, b) => a - b)).toEqual([19_000, 19_001, 19_002, 19_003, 19_004]);
  },
);
