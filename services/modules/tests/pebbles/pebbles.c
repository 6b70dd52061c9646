// Pebbles: two seats take one to three pebbles of a heap in turn, and the last pebble wins. A module
// in C, without a library, after docs/modules.md. `make` compiles it.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define NAMED(name) #name
#define EXPORT(name) __attribute__((export_name(NAMED(name)))) name
#define IMPORT(name) __attribute__((import_module("croupier"), import_name(#name)))

IMPORT(below) u32 below(u32 limit);
IMPORT(log) void tell(const char *message, u32 length);

enum { TAKEN_MAX = 3, HEAP_MIN = 10, HEAP_SPREAD = 6, TABLES = 8192, BUFFER = 1 << 20 };

// Places, as in the layout.
enum { HEAP = 0, QUARRY = 2 };
static u32 taken_by(u32 seat) { return 1 | seat << 6; }

// === Memory ===

// The host uses one buffer at a time.
static u8 buffer[BUFFER];

u8 *EXPORT(croupier_allocate)(u32 length) {
    if (length > BUFFER) __builtin_trap();
    return buffer;
}

void EXPORT(croupier_free)(u8 *address) { (void)address; }

// === Tables ===

// What cheats.c, which includes this file, has besides.
#ifndef MORE_OF_A_TABLE
#define MORE_OF_A_TABLE
#define MORE_EVENTS
#define MORE_PLACES
#define SEATS_MAX 2
#define WORDS words
#endif
#ifndef MORE_LEVELS
#define MORE_LEVELS
#endif

// All that the rules need of a table.
struct table {
    u8 used;
    u8 turn;
    u32 heap;
    MORE_OF_A_TABLE
};

static struct table tables[TABLES];

static u32 keep(struct table table) {
    static u32 next;
    for (u32 tried = 0; tried < TABLES; tried++) {
        struct table *free = &tables[next];
        next = (next + 1) % TABLES;
        if (!free->used) {
            *free = table;
            free->used = 1;
            return free - tables + 1;
        }
    }
    static const char full[] = "no room for a table";
    tell(full, sizeof full - 1);
    __builtin_trap();
}

static struct table *find(u32 handle) {
    if (handle == 0 || handle > TABLES || !tables[handle - 1].used) __builtin_trap();
    return &tables[handle - 1];
}

// === Reading protobuf ===

struct bytes {
    const u8 *at;
    u32 left;
};

static u64 varint(struct bytes *in) {
    u64 value = 0;
    for (u32 shift = 0; in->left > 0 && shift < 64; shift += 7) {
        u8 byte = *in->at++;
        in->left--;
        value |= (u64)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    in->left = 0;
    return value;
}

// A field: its number, and its value or its bytes. Returns 0 at the end.
static u32 field(struct bytes *in, u64 *value, struct bytes *inside) {
    if (in->left == 0) return 0;
    u64 key = varint(in);
    *value = 0;
    *inside = (struct bytes){in->at, 0};
    u32 skipped = 0;
    switch (key & 7) {
        case 0: *value = varint(in); break;
        case 1: skipped = 8; break;
        case 2: skipped = (u32)varint(in); *inside = (struct bytes){in->at, skipped}; break;
        case 5: skipped = 4; break;
        default: in->left = 0;
    }
    if (skipped > in->left) {
        skipped = in->left;
        inside->left = skipped;
    }
    in->at += skipped;
    in->left -= skipped;
    return (u32)(key >> 3);
}

// Calls back for each field of a message.
#define FIELDS(message)                                                    \
    for (struct { struct bytes in; u64 value; struct bytes inside; u32 number; } it = {message}; \
         (it.number = field(&it.in, &it.value, &it.inside));)

// === Writing protobuf ===

static u8 answer[1 << 14];
static u32 length;

static void put(u8 byte) {
    if (length == sizeof answer) __builtin_trap();
    answer[length++] = byte;
}

static void put_varint(u64 value) {
    for (; value > 127; value >>= 7) put((u8)(value | 128));
    put((u8)value);
}

static void put_number(u32 number, u64 value) {
    put_varint(number << 3);
    put_varint(value);
}

static void put_bytes(u32 number, const u8 *bytes, u32 count) {
    put_varint(number << 3 | 2);
    put_varint(count);
    for (u32 n = 0; n < count; n++) put(bytes[n]);
}

static void put_text(u32 number, const char *text) {
    u32 count = 0;
    while (text[count]) count++;
    put_bytes(number, (const u8 *)text, count);
}

// A message inside another: its length is known at its end, and takes four bytes.
static u32 begin(u32 number) {
    put_varint(number << 3 | 2);
    length += 4;
    return length;
}

static void end(u32 began) {
    u32 count = length - began;
    for (u32 n = 0; n < 4; n++) answer[began - 4 + n] = (u8)(count >> 7 * n & 127) | (n < 3 ? 128 : 0);
}

#define INSIDE(number) for (u32 began = begin(number), once = 1; once; once = 0, end(began))

// === Entries ===

static void paid(u32 from, u32 to, u32 amount) {
    INSIDE(4) INSIDE(4) {
        put_number(2, from);
        put_number(3, to);
        put_number(4, amount);
    }
}

static void event(u32 kind, u32 value) {
    INSIDE(4) put_number(kind, value);
}

enum { TURN_BEGAN = 10, RESIGNED = 14, ENDED = 15, CONTRIBUTED = 18, TIMED_OUT = 19 };

static void ask(u32 seat) {
    INSIDE(5) put_number(1, seat);
}

static void take(struct table *table, u32 seat, u32 pebbles) {
    table->heap -= pebbles;
    paid(HEAP, taken_by(seat), pebbles);
    if (table->heap == 0) {
        event(ENDED, 1 << seat);
        return;
    }
    table->turn = 1 - seat;
    event(TURN_BEGAN, table->turn);
    ask(table->turn);
}

static void resign(u32 seat) {
    event(RESIGNED, seat);
    event(ENDED, 1 << (1 - seat));
}

// An answer with an entry: `events` are written between these two.
struct entry {
    u32 outcome, advance, entry;
};

static struct entry begin_entry(const char *verb) {
    struct entry began;
    began.outcome = begin(1);
    began.advance = begin(1);
    began.entry = begin(2);
    put_text(2, verb);
    put_number(6, 1);
    return began;
}

static void end_entry(struct entry began, struct table after) {
    end(began.entry);
    put_number(1, keep(after));
    end(began.advance);
    end(began.outcome);
}

static void refuse(const char *reason, const char *message) {
    INSIDE(1) INSIDE(2) {
        put_text(1, reason);
        put_text(2, message);
    }
}

// === Methods ===

enum { SEEN_BY_ALL = 1, SEEN_BY_NOBODY = 3 };

static void place_seen_by(u32 sight, u32 number, const char *name, int seat, u32 role) {
    INSIDE(1) {
        put_number(1, number);
        put_text(2, name);
        if (seat >= 0) {
            INSIDE(3) put_number(1, seat);
            put_number(4, seat);
        }
        put_number(5, sight);
        put_number(7, role);
        put_number(8, 1);
    }
}

static void place(u32 number, const char *name, int seat, u32 role) {
    place_seen_by(SEEN_BY_ALL, number, name, seat, role);
}

static void purse(u32 place, u32 is_bank) {
    INSIDE(3) {
        put_number(1, place);
        put_number(3, is_bank);
    }
}

static const u8 descriptors[] = {
#include "descriptors.h"
};

static const char words[] =
#include "words.h"
    ;

static void describe(void) {
    put_number(1, 1);
    put_text(2, "pebbles");
    put_number(3, 1);
    put_number(4, 2);
    put_number(5, SEATS_MAX);
    INSIDE(6) {
        put_text(1, "talk");
        put_text(2, "off");
        put_text(2, "on");
        put_text(2, "unlimited");
        put_text(3, "off");
    }
    INSIDE(7) {
        place(HEAP, "heap", -1, 7);
        place(taken_by(0), "taken/0", 0, 7);
        place(taken_by(1), "taken/1", 1, 7);
        place(QUARRY, "quarry", -1, 8);
        purse(HEAP, 0);
        purse(taken_by(0), 0);
        purse(taken_by(1), 0);
        purse(QUARRY, 1);
        MORE_PLACES
        INSIDE(4) put_text(2, "pebble");
        INSIDE(6) put_text(2, "turn");
        put_text(9, "take");
    }
    INSIDE(8) {
        put_text(1, "HEAP_TOO_SMALL");
        put_text(2, "the heap has fewer pebbles");
    }
    INSIDE(11) {
        put_text(1, "en");
        put_text(2, WORDS);
    }
    put_text(12, "# Pebbles\n\n## 1. The game\n\n**1.1** Seats take one to three pebbles of the "
                 "heap in turn. Who takes the last one wins.\n");
    put_bytes(13, descriptors, sizeof descriptors);
    put_text(14, "croupier.games.pebbles.v1.Action");
    put_text(15, "random");
    put_text(15, "perfect");
    MORE_LEVELS
}

static void open(struct bytes request) {
    struct table table = {0};
    struct entry entry = begin_entry("open");
    FIELDS(request) {
        if (it.number == 3) INSIDE(4) put_bytes(CONTRIBUTED, it.inside.at, it.inside.left);
    }
    u32 more = below(HEAP_SPREAD), first = below(2);
    table.heap = HEAP_MIN + more;
    table.turn = first;
    paid(QUARRY, HEAP, table.heap);
    event(TURN_BEGAN, first);
    ask(first);
    INSIDE(7) {
        put_varint(HEAP_SPREAD);
        put_varint(more);
        put_varint(2);
        put_varint(first);
    }
    end_entry(entry, table);
}

// The rules need the pebbles of the heap, and who has the turn.
static struct table seen(struct bytes view) {
    struct table table = {0};
    struct bytes stored = {0};
    FIELDS(view) if (it.number == 2) stored = it.inside;
    FIELDS(stored) {
        if (it.number == 7) table.turn = (u8)it.value;
        if (it.number != 3) continue;
        u32 place = 0, coins = 0;
        struct bytes inside = it.inside;
        FIELDS(inside) {
            if (it.number == 1) place = (u32)it.value;
            if (it.number == 3) coins = (u32)(it.value >> 1);
        }
        if (place == HEAP) table.heap = coins;
    }
    return table;
}

// The pebbles that an action names.
static u32 named(struct bytes action) {
    u32 pebbles = 0;
    FIELDS(action) {
        if (it.number != 1) continue;
        struct bytes inside = it.inside;
        FIELDS(inside) if (it.number == 1) pebbles = (u32)it.value;
    }
    return pebbles;
}

// The pebbles of an action; 0 if it is malformed.
static u32 pebbles_of(struct bytes action) {
    u32 pebbles = named(action);
    return pebbles <= TAKEN_MAX ? pebbles : 0;
}

static void put_action(u32 number, u32 pebbles) {
    u8 action[] = {0x0a, 2, 8, (u8)pebbles};
    put_bytes(number, action, sizeof action);
}

static void parse(struct bytes action) {
    u32 pebbles = pebbles_of(action);
    if (pebbles == 0) {
        put_text(3, "a seat takes 1 to 3 pebbles");
        return;
    }
    put_text(1, "take");
    put_action(2, pebbles);
}

static void list(u32 heap, u32 takes) {
    for (u32 pebbles = 1; takes && pebbles <= TAKEN_MAX && pebbles <= heap; pebbles++) {
        INSIDE(1) {
            put_text(1, "take");
            put_action(2, pebbles);
        }
    }
}

// The table of what a seat was told, and the first letter of the level that is asked.
static struct table told(struct bytes request, u8 *level) {
    struct bytes observation = {0}, view = {0};
    FIELDS(request) {
        if (it.number == 1) *level = *it.inside.at;
        if (it.number == 2) observation = it.inside;
    }
    FIELDS(observation) if (it.number == 2) view = it.inside;
    return seen(view);
}

// Whoever leaves a multiple of four wins.
static void choose(struct bytes request) {
    u8 level = 0;
    u32 heap = told(request, &level).heap, best = heap % (TAKEN_MAX + 1);
    u32 most = heap < TAKEN_MAX ? heap : TAKEN_MAX;
    put_action(1, level == 'p' && best > 0 ? best : 1 + below(most));
}

u64 EXPORT(croupier_call)(u32 method, const u8 *address, u32 count) {
    // All requests that name these have them in the same fields.
    struct bytes request = {address, count}, action = {0}, view = {0};
    u32 handle = 0, seat = 0, flag = 0, takes = 1;
    FIELDS(request) {
        switch (it.number) {
            case 1: handle = (u32)it.value; view = action = it.inside; break;
            case 2: seat = (u32)it.value; break;
            case 3: flag = (u32)it.value; if (method == 8) action = it.inside;
                    if (method == 12) takes = it.inside.left == 4; break;
            case 4: takes = 0; break;
        }
    }
    length = 0;
    switch (method) {
        case 1: describe(); break;
        case 2: break;
        case 3: open(request); break;
        case 4: put_number(1, keep(seen(view))); break;
        case 5:
            // The handles are packed.
            while (view.left > 0) find((u32)varint(&view))->used = 0;
            break;
        case 6: break;
        case 7: parse(action); break;
        case 8: {
            struct table table = *find(handle);
            u32 pebbles = pebbles_of(action);
            if (pebbles > table.heap) {
                refuse("HEAP_TOO_SMALL", "the heap has fewer pebbles");
                break;
            }
            struct entry entry = begin_entry("take");
            put_number(1, seat);
            put_action(3, pebbles);
            take(&table, seat, pebbles);
            end_entry(entry, table);
            break;
        }
        case 9:
        case 10: {
            struct table table = *find(handle);
            struct entry entry = begin_entry(method == 9 ? "resign" : "timeout");
            put_number(1, seat);
            if (method == 10) event(TIMED_OUT, seat);
            MORE_EVENTS
            if (method == 9 || flag) resign(seat);
            else take(&table, seat, 1);
            end_entry(entry, table);
            break;
        }
        case 12: list(seen(view).heap, takes); break;
        case 13: put_action(1, 1); break;
        case 14: break;
        case 15: choose(request); break;
        default: __builtin_trap();
    }
    return (u64)(u32)answer << 32 | length;
}
