/** The words on a bill, in the four languages. Braces are filled in. */
import type { Language } from '@fieldroom/contract/text';

export interface BillWords {
  readonly title: string;
  readonly seller: string;
  readonly customer: string;
  readonly taxNumber: string;
  readonly contactPerson: string;
  readonly number: string;
  readonly month: string;
  readonly issued: string;
  readonly due: string;
  readonly service: string;
  readonly hours: string;
  readonly price: string;
  readonly amount: string;
  readonly usage: string;
  /** Under the service, so that the rounding is plain. */
  readonly startedHours: string;
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  readonly reverseCharge: string;
  readonly payment: string;
  readonly bank: string;
  readonly reference: string;
  readonly questions: string;
  readonly tree: string;
}

export const WORDS: Readonly<Record<Language, BillWords>> = {
  en: {
    title: 'Bill',
    seller: 'Seller',
    customer: 'Customer',
    taxNumber: 'Tax number',
    contactPerson: 'Contact person',
    number: 'Number',
    month: 'Month',
    issued: 'Date of issue',
    due: 'Due by',
    service: 'Service',
    hours: 'Hours',
    price: 'Price of an hour',
    amount: 'Amount',
    usage: 'Use of Fieldroom in {month}',
    startedHours: 'Used: {time}. Each started hour counts; the month is rounded up once.',
    net: 'Net',
    tax: 'Tax ({percent})',
    gross: 'To pay',
    reverseCharge: 'Reverse charge: the customer is liable for the tax.',
    payment: 'Payment',
    bank: 'Bank details',
    reference: 'Payment reference',
    questions: 'Questions about this bill',
    tree: 'A tree is planted for every three hours of use.',
  },
  de: {
    title: 'Rechnung',
    seller: 'Rechnung von',
    customer: 'Rechnung an',
    taxNumber: 'Steuernummer',
    contactPerson: 'Ansprechperson',
    number: 'Nummer',
    month: 'Monat',
    issued: 'Ausstellungsdatum',
    due: 'Zahlbar bis',
    service: 'Leistung',
    hours: 'Stunden',
    price: 'Preis je Stunde',
    amount: 'Betrag',
    usage: 'Nutzung von Fieldroom im {month}',
    startedHours: 'Genutzt: {time}. Jede angefangene Stunde zählt; der Monat wird einmal aufgerundet.',
    net: 'Netto',
    tax: 'Steuer ({percent})',
    gross: 'Zu zahlen',
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    payment: 'Zahlung',
    bank: 'Bankverbindung',
    reference: 'Verwendungszweck',
    questions: 'Fragen zu dieser Rechnung',
    tree: 'Für je drei Stunden Nutzung wird ein Baum gepflanzt.',
  },
  hu: {
    title: 'Számla',
    seller: 'Eladó',
    customer: 'Vevő',
    taxNumber: 'Adószám',
    contactPerson: 'Kapcsolattartó',
    number: 'Sorszám',
    month: 'Hónap',
    issued: 'Kiállítás kelte',
    due: 'Fizetési határidő',
    service: 'Szolgáltatás',
    hours: 'Órák',
    price: 'Óradíj',
    amount: 'Összeg',
    usage: 'A Fieldroom használata, {month}',
    startedHours: 'Használat: {time}. Minden megkezdett óra számít; a havi időt egyszer kerekítjük fel.',
    net: 'Nettó',
    tax: 'Adó ({percent})',
    gross: 'Fizetendő',
    reverseCharge: 'Fordított adózás: az adó megfizetésére a vevő kötelezett.',
    payment: 'Fizetés',
    bank: 'Bankszámla',
    reference: 'Közlemény',
    questions: 'Kérdés a számláról',
    tree: 'Minden három óra használat után elültetünk egy fát.',
  },
  ro: {
    title: 'Factură',
    seller: 'Furnizor',
    customer: 'Client',
    taxNumber: 'Cod fiscal',
    contactPerson: 'Persoană de contact',
    number: 'Număr',
    month: 'Luna',
    issued: 'Data emiterii',
    due: 'Scadentă la',
    service: 'Serviciu',
    hours: 'Ore',
    price: 'Preț pe oră',
    amount: 'Sumă',
    usage: 'Utilizarea Fieldroom în {month}',
    startedHours: 'Utilizat: {time}. Fiecare oră începută se ia în calcul; luna se rotunjește în sus o singură dată.',
    net: 'Net',
    tax: 'Taxă ({percent})',
    gross: 'De plată',
    reverseCharge: 'Taxare inversă: taxa este datorată de client.',
    payment: 'Plată',
    bank: 'Cont bancar',
    reference: 'Referința plății',
    questions: 'Întrebări despre factură',
    tree: 'Pentru fiecare trei ore de utilizare se plantează un copac.',
  },
};
