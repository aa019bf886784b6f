/** Words of the file with the usage of all therapists, in the four languages. */
import type { TherapistUsage } from '@fieldroom/contract/admin';
import type { Language } from '@fieldroom/contract/text';
import type { Plan } from '@fieldroom/contract/usage';

interface CsvWords {
  readonly headings: readonly string[];
  readonly states: Readonly<Record<TherapistUsage['state'], string>>;
  readonly plans: Readonly<Record<Plan, string>>;
}

export const CSV_WORDS: Readonly<Record<Language, CsvWords>> = {
  en: {
    headings: [
      'Number',
      'First name',
      'Family name',
      'Email',
      'State',
      'Plan',
      'Hours used',
      'Sessions',
      'Trees',
      'People helped',
      'Registered on (UTC)',
      'Last session (UTC)',
    ],
    states: { active: 'active', unverified: 'email not confirmed', suspended: 'suspended' },
    plans: { TRIAL: 'trial', PROFESSIONAL: 'professional package' },
  },
  de: {
    headings: [
      'Nummer',
      'Vorname',
      'Nachname',
      'E-Mail',
      'Status',
      'Paket',
      'Genutzte Stunden',
      'Sitzungen',
      'Bäume',
      'Begleitete Personen',
      'Registriert am (UTC)',
      'Letzte Sitzung (UTC)',
    ],
    states: { active: 'aktiv', unverified: 'E-Mail nicht bestätigt', suspended: 'gesperrt' },
    plans: { TRIAL: 'Testphase', PROFESSIONAL: 'Profipaket' },
  },
  hu: {
    headings: [
      'Szám',
      'Keresztnév',
      'Családnév',
      'E-mail',
      'Állapot',
      'Csomag',
      'Használt órák',
      'Ülések',
      'Fák',
      'Támogatott emberek',
      'Regisztráció napja (UTC)',
      'Utolsó ülés (UTC)',
    ],
    states: { active: 'aktív', unverified: 'nem megerősített e-mail', suspended: 'felfüggesztett' },
    plans: { TRIAL: 'próbaidő', PROFESSIONAL: 'szakmai csomag' },
  },
  ro: {
    headings: [
      'Număr',
      'Prenume',
      'Nume',
      'E-mail',
      'Stare',
      'Pachet',
      'Ore folosite',
      'Ședințe',
      'Copaci',
      'Persoane ajutate',
      'Înregistrat la (UTC)',
      'Ultima ședință (UTC)',
    ],
    states: { active: 'activ', unverified: 'e-mail neconfirmat', suspended: 'suspendat' },
    plans: { TRIAL: 'perioadă de probă', PROFESSIONAL: 'pachet profesional' },
  },
};
