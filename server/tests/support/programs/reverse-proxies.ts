/** The reverse proxies of `deploy`, started with their files as shipped. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { findProgram } from '../../../src/features/video/video.fixture.ts';
import { freePort, type Started, startProcess } from './process.ts';

export const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url));
/** The text of a file in `deploy`. */
export const shipped = (file: string): string => readFileSync(path.join(DEPLOY, file), 'utf8');

export const caddy = findProgram('/usr/bin/caddy', 'caddy', 'deploy/caddy is not tested.');
export const nginx = findProgram('/usr/sbin/nginx', 'nginx-light', 'deploy/nginx is not tested.');

/** How both files say how long they wait for an answer. */
const ANSWER_WITHIN = /\b(?:response_header_timeout|proxy_read_timeout) 30s/;

/** A certificate and its key, as PEM. */
interface Certificate {
  pem: string;
  key: string;
}
export interface Site {
  /** For files of the proxy; the caller removes it. */
  folder: string;
  /** Where the proxy listens. */
  port: number;
  /** Ports of the nodes. */
  nodes: readonly number[];
  /** Seconds in which a node has to answer, instead of the 30 of the files. */
  answerWithin?: number;
}

function siteText(file: string, { answerWithin }: Site): string {
  const text = shipped(file);
  if (answerWithin === undefined) return text;
  expect(text).toMatch(ANSWER_WITHIN);
  return text.replace(ANSWER_WITHIN, (setting) => setting.replace('30s', `${answerWithin}s`));
}

/** The environment in which Caddy keeps its files in a folder, and its control at a port of its own. */
export const caddyEnv = async (folder: string): Promise<Record<string, string>> => ({
  ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, CADDY_ADMIN: `127.0.0.1:${await freePort()}` },
});

/** Starts Caddy with the file as it is, without TLS: for a site of this machine it would become an authority here. */
export async function startCaddy(site: Site): Promise<Started> {
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${site.port}`,
    UPSTREAM: site.nodes.map((at) => `127.0.0.1:${at}`).join(' '),
    ...(await caddyEnv(site.folder)),
  };
  const file = path.join(site.folder, 'Caddyfile');
  await writeFile(file, siteText('caddy/Caddyfile', site));
  return startProcess(caddy!, ['run', '--adapter', 'caddyfile', '--config', file], { env });
}

/**
 * Writes settings for nginx, with its files in a folder. Takes the text of a file for `conf.d`, in which the paths of
 * certificates and logs are changed, and the certificate. Returns the path of the settings.
 */
export async function nginxSettings(folder: string, text: string, certificate?: Certificate): Promise<string> {
  const site = text
    .replace(/error_log \S+/, 'error_log stderr')
    .replaceAll(/^( *ssl_certificate(?:_key)? +)\S+\/(\w+\.pem);$/gm, `$1${folder}/$2;`);
  if (certificate) {
    await writeFile(path.join(folder, 'fullchain.pem'), certificate.pem);
    await writeFile(path.join(folder, 'privkey.pem'), certificate.key);
  }
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${own} ${site} }`);
  return file;
}

/** The file as it is but for ports, nodes and certificates, which are another machine's. */
const nginxText = async (site: Site): Promise<string> =>
  siteText('nginx/fieldroom.conf', site)
    .replaceAll(/server 127\.0\.0\.1:8080(.*;)/g, (_, settings) =>
      site.nodes.map((at) => `server 127.0.0.1:${at}${settings}`).join(' '),
    )
    .replace('listen 443 ', `listen 127.0.0.1:${site.port} `)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replaceAll(/^ *listen \[::\].*$/gm, '');
const runNginx = (file: string) => startProcess(nginx!, ['-g', 'daemon off;', '-c', file, '-e', 'stderr']);

/** Starts nginx without TLS. */
export async function startNginx(site: Site): Promise<Started> {
  const plain = (await nginxText(site)).replace(' ssl http2;', ';').replaceAll(/^ *ssl_.*$/gm, '');
  return runNginx(await nginxSettings(site.folder, plain));
}

/** Starts nginx with TLS. Takes the certificate. */
export async function startNginxWithTls(site: Site, certificate: Certificate): Promise<Started> {
  return runNginx(await nginxSettings(site.folder, await nginxText(site), certificate));
}
