/**
 * Standard output for the log. It may be closed, its disk may be full, its reader may stop reading: then lines are
 * lost, but nothing is thrown, nothing blocks, and later lines are written again.
 */
import * as fs from 'node:fs';
import { isatty } from 'node:tty';

/** Bytes that may wait for a slow reader; further lines are lost. */
const BACKLOG_BYTES = 1_000_000;
const RETRY_MS = 50;

export interface Output {
  write(line: string): void;
}

/** Makes it for a file descriptor, by default that of standard output. */
export function createOutput(fd = 1): Output {
  // Others write there too, and an error of a stream without a listener ends the process.
  process.stdout.on('error', () => {});
  const target = writable(fd);
  if (target === null) return { write: (line) => void process.stdout.write(line) };

  let backlog: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  let retry: NodeJS.Timeout | null = null;

  function add(line: string): void {
    const wire = Buffer.from(line);
    backlog.push(wire);
    bytes += wire.length;
  }

  function flush(): void {
    for (let [first] = backlog; first !== undefined; [first] = backlog) {
      let written: number;
      try {
        written = fs.writeSync(target!, first);
      } catch (error) {
        // A pipe whose reader is slow; it is tried again.
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
          retry ??= setTimeout(() => {
            retry = null;
            flush();
          }, RETRY_MS).unref();
          return;
        }
        lost += backlog.length;
        [backlog, bytes] = [[], 0];
        return;
      }
      bytes -= written;
      if (written === first.length) backlog.shift();
      else backlog[0] = first.subarray(written);
    }
  }

  return {
    write(line) {
      if (bytes > BACKLOG_BYTES) {
        lost += 1;
        return;
      }
      const before = lost;
      if (before > 0)
        add(`${JSON.stringify({ level: 40, time: Date.now(), lines: before, msg: 'lines of the log were lost' })}\n`);
      lost = 0;
      add(line);
      flush();
      // The note was lost with the line; both count as lost.
      if (before > 0 && lost > 0) lost += before - 1;
    },
  };
}

/** A descriptor that can be written without waiting; null if Node's own stream does better: terminals, sockets. */
function writable(fd: number): number | null {
  try {
    if (isatty(fd)) return null;
    const info = fs.fstatSync(fd);
    if (info.isSocket()) return null;
    if (!info.isFIFO()) return fd;
    // A separate open file description, because one that does not block would surprise others who share the pipe.
    return fs.openSync(`/proc/self/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    return null;
  }
}
