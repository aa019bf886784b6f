/** The price of hours for a choice of country and kind of customer. Pure. Rules: docs/product.md#8.1 and 8.2. */
import {
  type Amounts,
  amountsOf,
  type BillCurrency,
  type Billing,
  billingCountry,
  currencyOf,
  type CustomerKind,
  isTaxed,
} from '@fieldroom/contract/billing';
import { minorToPrice, priceToMinor } from '@fieldroom/contract/events';

/** The seconds of the worked example: 7 hours and 20 minutes. */
export const EXAMPLE_SECONDS = 26_400;

/** The parts of a customer that decide currency and tax; a country may be empty while nothing is chosen. */
export interface Payer {
  kind: CustomerKind;
  country: string;
  /** The legal entity's country; null for a private person. */
  entityCountry: string | null;
}

export interface Terms {
  country: string;
  currency: BillCurrency;
  /** The net price of one started hour, as a decimal string. */
  hourPrice: string;
  /** 0 with reverse charge. */
  taxPercent: number;
  reverseCharge: boolean;
}

type Prices = Pick<Billing, 'prices' | 'taxPercent'>;

/** Currency, price and tax for a payer; null while the deciding country is not chosen. */
export function termsOf({ kind, country, entityCountry }: Payer, { prices, taxPercent }: Prices): Terms | null {
  const deciding = kind === 'entity' ? (entityCountry ?? '') : country;
  if (deciding === '') return null;
  // Only the countries matter.
  const entity = kind === 'entity' ? ({ country: deciding } as Parameters<typeof isTaxed>[0]['entity']) : null;
  const payer = { kind, country, entity } as Parameters<typeof isTaxed>[0];
  const taxed = isTaxed(payer);
  const currency = currencyOf(billingCountry(payer));
  return {
    country: deciding,
    currency,
    hourPrice: prices[currency],
    taxPercent: taxed ? taxPercent : 0,
    reverseCharge: !taxed,
  };
}

/** The amounts for seconds of use under some terms, as decimal strings beside the started hours. */
export function costsOf(
  seconds: number,
  { currency, hourPrice, taxPercent }: Pick<Terms, 'currency' | 'hourPrice' | 'taxPercent'>,
): Pick<Amounts, 'hours'> & Record<'net' | 'tax' | 'gross', string> {
  const { hours, net, tax, gross } = amountsOf(seconds, priceToMinor(hourPrice, currency) ?? 0, taxPercent);
  const told = (minor: number) => minorToPrice(minor, currency);
  return { hours, net: told(net), tax: told(tax), gross: told(gross) };
}
