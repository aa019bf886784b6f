/**
 * Preferences of Firefox in tests: fake devices, granted without asking; media over loopback; no traffic to any other
 * machine.
 */

const DEFAULTS: Record<string, string | number | boolean> = {
  // A fake camera and microphone.
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.getusermedia.insecure.enabled': true,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  // A proxy that does not exist makes every other machine unreachable.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1, localhost',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.prefetch-next': false,
  'network.trr.mode': 5,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'browser.contentblocking.introCount': 99,
  'browser.discovery.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.blockedURIs.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'browser.topsites.contile.enabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'geo.provider.network.url': '',
  'media.gmp-manager.updateEnabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'signon.rememberSignons': false,
  'startup.homepage_welcome_url': 'about:blank',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
  'intl.accept_languages': 'en-GB, en',
};

/** Returns the text of a profile's `user.js`. Takes preferences to add or replace. */
export function preferences(further: Record<string, string | number | boolean>): string {
  return Object.entries({ ...DEFAULTS, ...further })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}
