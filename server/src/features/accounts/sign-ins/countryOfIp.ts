/** The country of an address, looked up in a file that is part of the product; no address leaves the server. */
import { createRequire } from 'node:module';
import { isInEu } from '@fieldroom/contract/billing';
import { open, type CountryResponse, type Reader, validate } from 'maxmind';

/** In this file each network has only the code, not MaxMind's nested record. */
interface Place {
  country_code?: string;
}

export interface Countries {
  /**
   * Takes an IP address. Returns its ISO code or null (loopback, private, unknown), and whether that country is in the
   * EU.
   */
  locate(ip: string): Promise<{ countryCode: string | null; insideEu: boolean }>;
}

/** Makes the look-up; reads the file (8 MB) at the first request. */
export function createCountries(): Countries {
  let reader: Promise<Reader<CountryResponse>> | null = null;
  function getReader() {
    reader ??= open<CountryResponse>(
      createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
    );
    return reader;
  }
  return {
    async locate(ip) {
      const address = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
      if (!validate(address)) return { countryCode: null, insideEu: false };
      const place = (await getReader()).get(address) as Place | null;
      const code = place?.country_code;
      if (code === undefined || !/^[A-Z]{2}$/u.test(code)) return { countryCode: null, insideEu: false };
      return { countryCode: code, insideEu: isInEu(code) };
    },
  };
}
