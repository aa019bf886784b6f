/** What an operator sets of the embedded engine, and what the rest of the program hears of it. */

/** Where the engine writes what an operator should know; never names of people. */
export interface EngineLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface EngineOptions {
  /** Threads at most; a room lives in one of them. Default: one for each core. */
  workers?: number;
  /** UDP ports, both ends included, of which each thread takes one to four; without it the system gives free ones. */
  portRange?: readonly [number, number];
  /** Addresses that browsers shall use instead of this machine's own (behind address translation that keeps ports). */
  publicAddresses?: readonly string[];
  /** Also offers 127.0.0.1: for tests and for trying it out on one machine. */
  loopback?: boolean;
  /** Megabytes of JavaScript heap a thread may take before it is ended and started again. Default 512. */
  workerMegabytes?: number;
  log?: EngineLog;
}

/** What a thread is started with; plain data, for it crosses to the thread. */
export interface WorkerStart {
  ports: readonly [number, number] | null;
  publicAddresses: readonly string[];
  loopback: boolean;
}
