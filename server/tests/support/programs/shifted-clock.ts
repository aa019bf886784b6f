/**
 * Loaded into a server before its own code (`NODE_OPTIONS=--import …`): its clock differs from the machine's by
 * CLOCK_SHIFT_MS, as on a machine whose clock is set wrongly. How time passes stays the same.
 */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
const real = Date;

globalThis.Date = new Proxy(real, {
  construct: (target, args, wanted) =>
    Reflect.construct(target, args.length === 0 ? [real.now() + shiftMs] : args, wanted) as object,
  apply: () => new Date().toString(),
  get: (target, name) => (name === 'now' ? () => real.now() + shiftMs : (Reflect.get(target, name) as unknown)),
});
