/**
 * Security headers. Pages get a policy that runs our own files and nothing else. Every other answer gets one that runs
 * nothing at all, so that uploaded bytes can do nothing even if somebody opens them as a page.
 */
import { isIP } from 'node:net';
import type { Config } from '../config.ts';

/** Content-Security-Policy of pages. Takes the public address, whose host the real-time connection may go to. */
export function pagePolicy(config: Pick<Config, 'publicUrl'>): string {
  const { host } = new URL(config.publicUrl);
  return write({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    // Libraries write positions and sizes into style attributes; style elements and foreign style sheets stay
    // forbidden.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    // 'self' covers ws: and wss: in current browsers; older Safari needs their names.
    'connect-src': ["'self'", `ws://${host}`, `wss://${host}`],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', 'mediastream:'],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'require-trusted-types-for': ["'script'"],
    // The web never makes markup from text, so no policy may be made that would allow it. The existing one allows one
    // address: the worker that encrypts audio and video.
    'trusted-types': ['fieldroom-worker'],
  });
}

/** Content-Security-Policy of everything that is no page. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

const write = (directives: Record<string, readonly string[]>) =>
  Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');

/**
 * Headers of answers to calls that are data. What a browser does with a document concerns none of them: it neither runs
 * nor frames them, and half of a sold-out answer's bytes were about that. HSTS only if the service uses https.
 */
export function dataHeaders(config: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'content-security-policy': NO_PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // A call may redirect a browser, from an address with a token in it.
    'referrer-policy': 'no-referrer',
    ...(config.publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/** Headers of every other answer: pages, files, and bytes that somebody may open as a page. */
export function commonHeaders(config: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    ...dataHeaders(config),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-permitted-cross-domain-policies': 'none',
    'permissions-policy':
      'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self), autoplay=(self), clipboard-write=(self), screen-wake-lock=(self), speaker-selection=(self), accelerometer=(), browsing-topics=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=(), xr-spatial-tracking=()',
  };
}

/**
 * Whether a request comes from a page of ours: no Origin (programs, plain GETs), the public address, or the very host
 * to which it was sent (as behind a development proxy). A name other than the public one does not count: its owner may
 * point it at this server and have visitors' browsers send requests (DNS rebinding). An IP address and localhost cannot
 * be pointed elsewhere. Takes the headers as received.
 */
export function isOwnOrigin(
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  config: Pick<Config, 'publicUrl'>,
): boolean {
  if (origin === undefined || origin === config.publicUrl) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return /^https?:$/.test(from.protocol) && from.host === host.toLowerCase() && isFixedHost(from.hostname);
}

/** Whether a URL's host name means the same machine for everybody. */
function isFixedHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
  );
}
