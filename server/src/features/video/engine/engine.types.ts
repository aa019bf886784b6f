/** Settings of the embedded engine, and its log. */

/** Where the engine reports to operators; never names of people. */
export interface EngineLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface EngineOptions {
  /** Maximum number of threads; a room lives in one of them. Default: one per core. */
  workers?: number;
  /** UDP ports, both ends included, of which each thread takes one to four. Without it the system assigns free ones. */
  portRange?: readonly [number, number];
  /** Addresses for browsers instead of this machine's own (behind address translation that keeps ports). */
  publicAddresses?: readonly string[];
  /** Also offers 127.0.0.1, for tests and trying it out on one machine. */
  loopback?: boolean;
  /** Maximum heap of a thread in megabytes before it is ended and started again. Default 512. */
  workerMegabytes?: number;
  log?: EngineLog;
}

/** The start data of a thread; plain data, because it crosses to the thread. */
export interface WorkerStart {
  ports: readonly [number, number] | null;
  publicAddresses: readonly string[];
  loopback: boolean;
}
