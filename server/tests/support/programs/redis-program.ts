/** Redis as tests and benchmarks start it: where the program is, and how it runs. */
import { existsSync } from 'node:fs';
import * as path from 'node:path';

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** The path of Redis' program, or undefined if there is none. */
export const findRedis = (): string | undefined =>
  [...FOLDERS, ...(process.env['PATH'] ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, 'redis-server'))
    .find((file) => existsSync(file));

/** Returns the arguments of Redis' program. Takes a free port of 127.0.0.1. It keeps nothing on disk. */
export const redisArguments = (port: number): string[] => [
  ...['--port', String(port), '--bind', '127.0.0.1'],
  ...['--save', '', '--appendonly', 'no', '--dir', '/'],
];
