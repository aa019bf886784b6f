/**
 * Which passwords are among the common ones (docs/product.md#3.4).
 *
 * Published lists of leaked passwords are mostly shorter than our ten characters. The rest follows a few habits. So
 * this file does not list every result. It contains the words and keyboard walks they are made of, and undoes the
 * habits: capitals, accents, `p@ssw0rd` spellings, numbers and signs at the ends, two common words in a row,
 * repetition, sequences, and the person's own name or address. A phrase of three words or a random text passes.
 */

/** Words that leaked passwords are built from: English, German, Hungarian, Romanian, names, teams, places, services. */
const WORDS = new Set(
  `
  password passwort passwd passphrase pass parola parolamea jelszo jelszavam kennwort geheim geheimnis secret secreto titok titkos secreta
  admin administrator administrateur root user username guest gast test tester testing testtest demo login logon signin default system
  master manager server computer laptop internet website online security sicherheit change changeme changethis letmein letmeinnow openup
  welcome willkommen bienvenue udvozlet udvozlom bunvenit hello hallo szia salut ciao servus moin gruezi goodbye
  iloveyou iloveu loveyou loveme lovely lover love liebe ichliebedich liebling schatz schatzi schatzilein szeretlek szerelem szeretet teiubesc
  iubire iubirea iubi dragoste dragostea dragoste amor amore kiss kisses sweet sweetheart darling honey baby babygirl babyboy angel angels engel
  monkey dragon tiger tigger lion lowe panther eagle adler falcon wolf wolves bear bears hase hasi maus mausi katze kater hund hunde kutya
  macska cica cicus maci macko nyuszi nyuszika pisica catel catelus lup urs leu vulpe horse horses pferd pony dolphin delfin shark butterfly
  schmetterling pillango fluture spider snake puppy kitty kitten bunny rabbit chicken turtle elephant giraffe penguin panda koala
  sunshine sonnenschein napsugar soare rainbow regenbogen szivarvany curcubeu summer sommer nyar vara winter iarna spring fruhling tavasz
  primavara autumn herbst osz toamna monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
  sonntag hetfo kedd szerda csutortok pentek szombat vasarnap luni marti miercuri joi vineri sambata duminica
  january february march april june july august september october november december januar februar marz mai juni juli oktober dezember
  januarius februarius marcius aprilis majus junius julius augusztus szeptember oktober november ianuarie februarie martie aprilie iunie iulie
  septembrie octombrie noiembrie decembrie christmas weihnachten karacsony craciun easter ostern husvet paste birthday geburtstag
  football fussball foci fotbal soccer baseball basketball hockey handball tennis rugby cricket golf swimming dance dancer dancing tanzen
  liverpool arsenal chelsea manchester united everton tottenham barcelona realmadrid juventus bayern bayernmunchen borussia dortmund schalke
  werder hamburg stuttgart frankfurt ferencvaros fradi ujpest honved steaua steauabucuresti dinamo rapid rapidbucuresti cluj galatasaray
  yankees cowboys lakers steelers redsox packers patriots ronaldo messi beckham jordan kobe michael michaeljordan maradona puskas hagi
  superman batman spiderman ironman wonderwoman superstar starwars startrek skywalker darthvader yoda gandalf frodo hobbit matrix pokemon
  pikachu naruto sasuke goku dragonball minecraft fortnite roblox counterstrike warcraft worldofwarcraft callofduty playstation nintendo xbox
  mario zelda sonic harrypotter hermione hogwarts voldemort simpson simpsons homer bart scooby snoopy garfield mickey mickeymouse minnie
  donald disney barbie hellokitty ferrari porsche mercedes bmw audi volkswagen toyota honda yamaha harley davidson harleydavidson mustang
  corvette camaro chevrolet skoda opel dacia trabant lamborghini maserati lexus jaguar
  google facebook twitter youtube instagram whatsapp linkedin microsoft windows apple iphone samsung android amazon ebay paypal netflix spotify
  yahoo hotmail gmail freemail citromail telekom vodafone oracle cisco ubuntu linux adobe photoshop myspace
  america england london paris berlin munchen munich koln cologne wien vienna zurich schweiz osterreich deutschland germany austria budapest
  magyar magyarorszag hungary debrecen szeged pecs gyor kolozsvar erdely romania bucuresti bucharest timisoara brasov sibiu iasi constanta
  europa europe newyork california texas florida chicago boston canada australia mexico brazil italia italy france spain portugal poland russia
  michael jennifer jessica ashley thomas robert daniel andrew joshua matthew anthony william charles george richard joseph david james john
  jack harry oliver thomas sophie charlotte emily hannah emma olivia amanda nicole michelle samantha stephanie melissa elizabeth victoria rachel
  rebecca martin stefan andreas markus matthias alexander alexandra alexandru sebastian maximilian christian christina christine kristina
  katharina katarina johannes johanna julia julian florian fabian dominik patrick philipp lukas jonas felix leon paul peter sabine susanne petra
  claudia andrea monika angelika birgit heike martina nadine sandra daniela melanie vanessa jasmin sarah laura lena lisa marie anna mama papa
  mami papi mutti vati oma opa anya apa anyu apu mamaja tata mamica taticu bunica familia family familie csalad bence balazs gabor zoltan istvan
  laszlo ferenc attila tamas peter andras gergo gergely matyas marton kristof david balint akos zsolt csaba sandor jozsef janos miklos
  katalin erzsebet ildiko zsuzsa zsuzsanna eszter reka dorina viktoria fruzsina boglarka timea krisztina krisztian agnes judit monika
  maria mihai ionut ion andrei cristian cristina elena ioana gabriela gabriel mihaela alina florin florina marius bogdan adrian adriana razvan
  catalin catalina raluca roxana georgiana denisa bianca larisa stefania nicoleta nicolae vasile gheorghe
  princess prinzessin hercegno printesa prince prinz queen konigin kiralyno regina king konig kiraly regele knight ritter hero heroes legend
  champion winner killer hunter shadow ghost ninja samurai pirate vampire zombie phoenix storm thunder lightning fire feuer tuz foc water wasser
  viz flower flowers blume blumen virag floare floarea rose rosen roses rozsa trandafir lily jasmine orchid orchidee crystal diamond silver
  silber golden gold arany aur pearl ruby sapphire emerald star stars stern sterne csillag stea stelute moon mond hold luna sun sonne nap sky
  himmel heaven egbolt cer ocean meer tenger mare beach strand mountain berg hegy munte river forest wald erdo padure nature natur
  chocolate schokolade csokolade csoki ciocolata cookie cookies banana orange apple apfel alma mar cherry kirsche strawberry erdbeere lemon
  coffee kaffee kave cafea pizza hamburger cheese kase pepper ginger vanilla caramel sugar zucker cukor zahar butter bread whiskey vodka beer bier
  music musik zene muzica guitar gitarre gitar chitara piano metal metallica nirvana slipknot beatles queen rammstein linkinpark eminem
  rockstar rocknroll heavymetal hiphop techno singer dancefloor
  freedom freiheit szabadsag libertate peace frieden beke pace happy glucklich boldog fericit smile lacheln mosoly zambet lucky gluck szerencse
  noroc dream dreams traum traume alom vis hope hoffnung remeny speranta faith glaube trust believe jesus jesuschrist jesuslovesme christ
  christus jezus isus god gott isten dumnezeu godisgood blessed amen bible heilig church spirit soul wisdom
  life leben elet viata world welt vilag lume earth friend friends freund freunde barat baratom prieten prieteni forever foreverlove always together
  bestfriend nothing whatever everything something anything somebody nobody myself yourself
  money geld penz bani million millionaire business company firma office buro school schule iskola scoala student teacher lehrer tanar
  profesor doctor doktor therapist therapeut therapie therapy terapeuta terapia terapeut psychology psychologie pszichologia pszichologus
  psiholog psihologie counseling counselling coaching coach session sessions practice praxis client clients klient patient feldraum
  fieldroom field room constellation constellations aufstellung familienaufstellung csaladallitas constelatii constelatie
  qwerty qwertz azerty qwert qwertzu qwertyu asdf asdfg asdfgh asdfghj zxcv zxcvb zxcvbn yxcv yxcvb yxcvbn qazwsx qaywsx edcrfv wsxedc
  access account private privat personal public important super supergeheim ultra mega hyper power magic magical mystery special extreme maximum
  number nummer zahl szam numar first second third one two three four five six seven eight nine ten onetwothree onetwothreefour
  eins zwei drei vier funf egy ketto harom negy ot unu doi trei patru cinci abc abcd abcde abcdef abcdefg abcabc xyz
  blue blau kek albastru red rot piros rosu green grun zold verde yellow gelb sarga galben black schwarz fekete negru white weiss feher alb
  purple violet pink brown grey orange blackberry bluebird redbull greenday whitehouse
  trustno trustnoone fuck fuckyou fuckoff bitch asshole shit bullshit scheisse arschloch kurva bazdmeg pula muie futui sexy sexsex
  the and for you your this that with from mein meine dein deine mine ist ich bin ein eine der die das und az egy vagyok nem igen sunt este mea meu
  isthe isthebest numberone nummereins best thebest new old big little small long short good bad cool hot cold crazy funny nice great
  zaq xsw cde vfr bgt nhy mju
  `
    .trim()
    .split(/\s+/u),
);

/** Runs of neighbouring keys and letters; each also counts backwards. */
const WALKS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  '1a2b3c4d5e6f7g8h9i0j',
  'a1b2c3d4e5f6g7h8i9j0',
  'q1w2e3r4t5y6u7i8o9p0',
  'q1w2e3r4t5z6u7i8o9p0',
  '1a2s3d4f5g6h7j8k9l',
  '1z2x3c4v5b6n7m',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'qaywsxedcrfvtgbzhnujmikolp',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  'yaq1xsw2cde3vfr4bgt5nhz6mju7',
  '!qaz@wsx#edc$rfv%tgb',
  '!qaz2wsx#edc4rfv',
  '!@#$%^&*()_+',
  '!"§$%&/()=?',
  '147258369',
  '741852963',
  '789456123',
  '321654987',
  '159753',
  '951357',
  '112233445566778899',
  '123123123',
  '123321',
  '1223334444',
  '121212',
  '102030405060708090',
  '13579',
  '24680',
  '2468',
  '1357924680',
  '9876543210',
  '0987654321',
].flatMap((walk) => [walk, [...walk].reverse().join('')]);

/** Minimum length of a piece of a walk. */
const WALK_MIN = 3;

const SPELLINGS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
  '|': 'l',
  '€': 'e',
  '(': 'c',
  '£': 'l',
};

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd');
}

const unspell = (text: string) => text.replace(/[0-9@$!+|€(£]/gu, (sign) => SPELLINGS[sign] ?? sign);
const lettersOnly = (text: string) => text.replace(/[^\p{L}]+/gu, '');

/**
 * The rest without numbers and signs at the ends and between the words, both read plainly and with spellings undone.
 */
function cores(folded: string): string[] {
  const trimmed = /\p{L}(?:.*\p{L})?/su.exec(folded)?.[0] ?? '';
  // `1` stands for i as well as for l, and a number at the end may be a spelling too (`passw0rd`, `passwor7`).
  return [
    lettersOnly(folded),
    lettersOnly(unspell(trimmed)),
    lettersOnly(unspell(trimmed.replaceAll('1', 'l'))),
    lettersOnly(unspell(folded)),
    lettersOnly(unspell(folded.replaceAll('1', 'l'))),
  ];
}

/** One common word, or two in a row. */
function isMadeOfWords(core: string, words: ReadonlySet<string>): boolean {
  if (words.has(core)) return true;
  for (let cut = 1; cut < core.length; cut += 1)
    if (words.has(core.slice(0, cut)) && words.has(core.slice(cut))) return true;
  return false;
}

/** The shortest piece whose repetition makes the whole text; the last one may be cut short. */
function repeatedPiece(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const piece = text.slice(0, length);
    if (text === piece.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return piece;
  }
  return text;
}

/** How many characters, taken greedily from the front, are in walks of three or more keys or repeat one key. */
function walkedCharacters(text: string): number {
  let walked = 0;
  let from = 0;
  while (from < text.length) {
    let length = WALK_MIN - 1;
    while (
      from + length < text.length &&
      (WALKS.some((walk) => walk.includes(text.slice(from, from + length + 1))) ||
        text.slice(from, from + length + 1) === text[from]!.repeat(length + 1))
    )
      length += 1;
    if (length >= WALK_MIN) {
      walked += length;
      from += length;
    } else from += 1;
  }
  return walked;
}

/**
 * The folded names of a person and the parts of the address: what is printed on a business card must not be a password.
 */
function wordsOf(person: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of person) {
    const folded = fold(text);
    const parts = folded.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 2);
    for (const part of [...parts, lettersOnly(folded), ...parts.map(lettersOnly)])
      if (part.length >= 2) words.add(part);
  }
  return words;
}

/** Below this number of distinct characters a password of ten is a pattern. */
const DISTINCT_MIN = 4;
/** This many characters outside of walks do not save a password (`qwertyuiop1!`). */
const OFF_WALK_MAX = 2;

/**
 * Whether a password is among the common ones. Takes the password after NFKC, and texts about the person (first name,
 * last name, email address). Returns true to refuse with `password_too_common`. Source: docs/product.md#3.4; NIST SP
 * 800-63B, 5.1.1.2.
 */
export function isCommonPassword(password: string, person: readonly string[] = []): boolean {
  const folded = fold(password);
  if (new Set(folded).size < DISTINCT_MIN) return true;
  const own = wordsOf(person);
  if (own.has(folded)) return true;
  const words = own.size === 0 ? WORDS : new Set([...WORDS, ...own]);
  for (const text of [folded, repeatedPiece(folded)]) {
    if (text.length - walkedCharacters(text) <= OFF_WALK_MAX) return true;
    for (const core of cores(text)) {
      // A password of only numbers and signs has no core; the checks for walks and variety above judge it.
      if (core !== '' && (isMadeOfWords(core, words) || isMadeOfWords(repeatedPiece(core), words))) return true;
    }
  }
  // Only numbers: ten to twelve digits are dates and telephone numbers.
  if (/^[\d\s./-]{0,14}$/u.test(folded)) return true;
  const rest = lettersOnly(folded);
  return rest.length >= WALK_MIN && rest.length - walkedCharacters(rest) === 0 && folded.length - rest.length <= 4;
}
