/**
 * Decides who is heard and who talks, from the audio level that each packet carries (RFC 6464): 0 is the loudest, 127
 * silence. One list for the whole room, so that everybody hears the same people.
 */

/**
 * How fast loudness follows a packet: quickly up, so that the first word is heard; slowly down, so that nobody is cut
 * between two words.
 */
const RISE = 0.4;
const FALL = 0.04;
const SILENT = 127;
/** How much louder (in dB) somebody must be to take another's place, and how long a place is kept at least. */
const LOUDER_BY = 8;
const KEPT_MS = 1500;
/** After this long without packets (discontinuous transmission, mute) loudness is halved. */
const QUIET_MS = 250;
/** Nobody talks after this long without packets. */
const STOPPED_MS = 2000;
/** Opus sends a few bytes for silence; their size shows it where the extension is missing. */
const SILENCE_BYTES = 16;
const ASSUMED_LEVEL = 50;

export interface ActiveSpeaker {
  /** Whether this person's audio is forwarded. */
  heard(): boolean;
  /** 0 to 127. */
  loudness(): number;
  talking(): boolean;
  /** Takes a packet: the extension's byte (-1: none) and the payload's length in bytes. */
  packet(levelByte: number, bytes: number, nowMs: number): void;
  /** Muted: gives up the place and stops talking. */
  silence(): void;
  leave(): void;
}

export interface ActiveSpeakersSpec {
  loudest: number;
  talkingLevel: number;
  talkingPackets: number;
}

export interface ActiveSpeakers {
  /**
   * Takes whether this person is always heard, and a listener for talking (with the average level of the packets that
   * decided it).
   */
  join(always: boolean, onTalking: (talking: boolean, averageLevel: number) => void): ActiveSpeaker;
  tick(nowMs: number): void;
}

interface Member {
  readonly always: boolean;
  heard: boolean;
  loudness: number;
  talking: boolean;
  /** Since when it has its place. */
  placedMs: number;
  packetMs: number;
  /** When loudness was last updated. */
  judgedMs: number;
  /** Sum and count of levels since the last decision about talking. */
  levels: number;
  count: number;
  onTalking: (talking: boolean, averageLevel: number) => void;
}

/**
 * Takes how many people are heard besides those who always are, and Janus' two settings audio_level_average and
 * audio_active_packets. While places are free everybody is heard; a place is lost only to somebody clearly louder.
 */
export function createActiveSpeakers({ loudest, talkingLevel, talkingPackets }: ActiveSpeakersSpec): ActiveSpeakers {
  const members = new Set<Member>();

  /** Gives somebody a place: a free one, or that of the quietest person who has had one long enough. */
  function place(member: Member, nowMs: number): void {
    let placed = 0;
    let quietest: Member | null = null;
    for (const other of members) {
      if (other.always || !other.heard) continue;
      placed++;
      if (nowMs - other.placedMs >= KEPT_MS && (quietest === null || other.loudness < quietest.loudness))
        quietest = other;
    }
    if (placed >= loudest) {
      if (quietest === null || member.loudness < quietest.loudness + LOUDER_BY) return;
      quietest.heard = false;
    }
    member.heard = true;
    member.placedMs = nowMs;
  }

  /** Janus decides after each full count of packets, by their plain average. */
  function decide(member: Member, averageLevel: number): void {
    const talking = averageLevel < talkingLevel;
    member.levels = 0;
    member.count = 0;
    if (talking === member.talking) return;
    member.talking = talking;
    member.onTalking(talking, averageLevel);
  }

  return {
    join(always, onTalking) {
      const member: Member = {
        always,
        heard: always,
        loudness: 0,
        talking: false,
        placedMs: 0,
        packetMs: 0,
        judgedMs: 0,
        levels: 0,
        count: 0,
        onTalking,
      };
      members.add(member);
      return {
        heard() {
          return member.heard;
        },
        loudness() {
          return member.loudness;
        },
        talking() {
          return member.talking;
        },
        packet(levelByte, bytes, nowMs) {
          const level = levelByte >= 0 ? levelByte & SILENT : bytes > SILENCE_BYTES ? ASSUMED_LEVEL : SILENT;
          const loud = SILENT - level;
          member.loudness += (loud - member.loudness) * (loud > member.loudness ? RISE : FALL);
          member.packetMs = nowMs;
          member.judgedMs = nowMs;
          if (!member.heard) place(member, nowMs);
          if (levelByte < 0) return;
          member.levels += level;
          member.count++;
          if (member.count >= talkingPackets) decide(member, member.levels / member.count);
        },
        silence() {
          member.loudness = 0;
          if (!member.always) member.heard = false;
          decide(member, SILENT);
        },
        leave() {
          members.delete(member);
        },
      };
    },
    tick(nowMs) {
      for (const member of members) {
        if (nowMs - member.judgedMs >= QUIET_MS) {
          member.judgedMs = nowMs;
          member.loudness /= 2;
        }
        if (member.talking && nowMs - member.packetMs >= STOPPED_MS) decide(member, SILENT);
      }
    },
  };
}
