// Pebbles with a bag and a box that nobody sees into, and one way to cheat, for tests of the trial
// of modules. Which one is in the constant `cheat`, that tests overwrite. Everything else is as in
// pebbles.c, except where a line says so.

// What is in the bag, and how many actions led to the table.
#define MORE_OF_A_TABLE u32 bag, depth;
#define MORE_EVENTS more_events(method, table.bag);
#define MORE_PLACES more_places();
#define SEATS_MAX (cheats() == LIES_ABOUT_SEATS ? 3 : 2)
#define WORDS words_of_cheats()
static void more_places(void);
static unsigned cheats(void);
static void more_events(unsigned method, unsigned bag);
static const char *words_of_cheats(void);

// As in tests/built/trial.rs.
enum {
    HONEST = 0,
    LEAKS_BY_EVENT = 1,
    LEAKS_BY_COUNT = 2,
    LEAKS_BY_PROMPT = 3,
    LEAKS_BY_LEGALITY = 4,
    LEAKS_BY_LIST = 5,
    LOOPS = 6,
    GROWS = 7,
    TRAPS = 8,
    CHANGES_THE_PAST = 9,
    COUNTS_CALLS = 10,
    REFUSES_EVERYTHING = 11,
    LIES_ABOUT_SEATS = 12,
    NEVER_ENDS = 13,
    ANSWERS_ILLEGALLY = 14,
    LISTS_OTHER_BYTES = 15,
    LACKS_WORDS = 16,
    ACCEPTS_MORE_THAN_IT_LISTS = 17,
    LEAKS_BY_REFUSAL = 18,
    LEAKS_BY_RESIGNATION = 19,
    LEAKS_BY_TIMEOUT = 20,
    CHOOSES_ILLEGALLY = 21,
    LOOPS_WHILE_CHOOSING = 22,
    REMEMBERS_CHOICES = 23,
    CHOOSES_NOTHING = 24,
    TELLS_CHOICES = 25,
    NEVER_LISTS_THREE = 26,
    ACCEPTS_NONE = 27,
};

#define croupier_call pebbles_call
#include "pebbles.c"
#undef croupier_call

static volatile const char cheat[] = "cheat: 00";

static unsigned cheats(void) { return (u32)(cheat[7] - '0') * 10 + (u32)(cheat[8] - '0'); }

// Nobody sees what is in these places.
enum { BAG = 3, BOX = 4, HIDDEN = 10, ROUND_BEGAN = 8 };

// What the last table had in its bag, which no list may tell.
static u32 remembered;

static const char words_with_more_places[] =
#include "words.h"
    "place-bag = Bag\n"
    "    .from = from the bag\n"
    "    .to = into the bag\n"
    "    .at = in the bag\n"
    "place-box = Box\n"
    "    .from = from the box\n"
    "    .to = into the box\n"
    "    .at = in the box\n";

#define WITHOUT_VERB
static const char words_without_a_verb[] =
#include "words.h"
    ;

static const char *words_of_cheats(void) {
    return cheats() == LACKS_WORDS ? words_without_a_verb : words_with_more_places;
}

// Of a seat that resigns, or whose time runs out.
static void more_events(u32 method, u32 bag) {
    u32 its = method == 9 ? LEAKS_BY_RESIGNATION : LEAKS_BY_TIMEOUT;
    if (cheats() == its) event(ROUND_BEGAN, bag);
}

static void more_places(void) {
    place_seen_by(SEEN_BY_NOBODY, BAG, "bag", -1, 7);
    place_seen_by(SEEN_BY_NOBODY, BOX, "box", -1, 7);
    purse(BAG, 0);
    purse(BOX, 0);
}

static void open_with_bag(struct bytes request) {
    struct table table = {0};
    u32 seats = 0;
    struct entry entry = begin_entry("open");
    FIELDS(request) {
        if (it.number == 1) seats = (u32)it.value;
        if (it.number == 3) INSIDE(4) put_bytes(CONTRIBUTED, it.inside.at, it.inside.left);
    }
    u32 more = below(HEAP_SPREAD), first = below(2), boxed = below(HIDDEN);
    table.heap = HEAP_MIN + more;
    table.turn = seats == 3 ? 2 : first;
    paid(QUARRY, HEAP, table.heap);
    paid(QUARRY, BAG, HIDDEN);
    if (boxed > 0) paid(BAG, BOX, boxed);
    event(TURN_BEGAN, table.turn);
    ask(table.turn);
    INSIDE(7) {
        put_varint(HEAP_SPREAD);
        put_varint(more);
        put_varint(2);
        put_varint(first);
        put_varint(HIDDEN);
        put_varint(boxed);
    }
    table.bag = remembered = HIDDEN - boxed;
    end_entry(entry, table);
}

// What a view has in the bag; 0 for viewers, who do not see it.
static u32 bag_of(struct bytes view) {
    struct bytes stored = {0};
    u32 bag = 0;
    FIELDS(view) if (it.number == 2) stored = it.inside;
    FIELDS(stored) {
        if (it.number != 3) continue;
        u32 place = 0, coins = 0;
        struct bytes inside = it.inside;
        FIELDS(inside) {
            if (it.number == 1) place = (u32)it.value;
            if (it.number == 3) coins = (u32)(it.value >> 1);
        }
        if (place == BAG) bag = coins;
    }
    return bag;
}

static void loop(void) {
    for (volatile u32 n = 0;; n++) {}
}

static void grow(void) {
    enum { PAGES = 16 };
    while (__builtin_wasm_memory_grow(0, PAGES) != ~0ul) {}
    __builtin_trap();
}

// An action that no list has.
static const u8 none[] = {0x0a, 0};

static u32 is_none(struct bytes action) {
    return cheats() == ACCEPTS_NONE && action.left == 2 && action.at[0] == none[0] && action.at[1] == 0;
}

static void act(u32 handle, u32 seat, struct bytes action) {
    static u32 calls;
    struct table table = *find(handle);
    u32 pebbles = pebbles_of(action), bag = table.bag;
    remembered = bag;
    u32 is_late = table.heap < 6, takes_none = is_none(action);
    calls++;
    if (cheats() == LOOPS && is_late) loop();
    if (cheats() == GROWS && is_late) grow();
    if (cheats() == TRAPS && is_late) {
        static const char told[] = "it was meant to";
        tell(told, sizeof told - 1);
        __builtin_trap();
    }
    u32 refuses = cheats() == REFUSES_EVERYTHING || (cheats() == LEAKS_BY_LEGALITY && bag == 0);
    if (pebbles > table.heap || refuses) {
        u32 tells = cheats() == LEAKS_BY_REFUSAL && bag % 2;
        refuse("HEAP_TOO_SMALL", tells ? "the bag is odd" : "the heap has fewer pebbles");
        return;
    }
    if (cheats() == CHANGES_THE_PAST) {
        for (u32 n = 0; n < TABLES; n++) {
            if (tables[n].used && tables[n].depth < table.depth) tables[n].heap = 1;
        }
    }
    table.depth++;
    struct entry entry = begin_entry("take");
    put_number(1, seat);
    if (takes_none) put_bytes(3, none, sizeof none);
    else put_action(3, pebbles);
    if (cheats() == LEAKS_BY_EVENT) event(ROUND_BEGAN, bag);
    if (cheats() == LEAKS_BY_COUNT && bag % 2 && pebbles > 1) {
        table.heap--;
        pebbles--;
        paid(HEAP, taken_by(seat), 1);
    }
    if (cheats() == NEVER_ENDS) {
        table.heap += pebbles;
        paid(QUARRY, HEAP, pebbles);
    }
    if (cheats() == COUNTS_CALLS && calls % 7 == 0) event(ROUND_BEGAN, 7);
    if (takes_none) {
        ask(seat);
    } else if (cheats() == TELLS_CHOICES && table.heap > 1 && bag > 0) {
        // How many are chosen is seen by nobody, and decides who is asked next.
        u32 hidden = pebbles < bag ? pebbles : bag;
        table.bag -= hidden;
        paid(BAG, BOX, hidden);
        table.heap--;
        paid(HEAP, taken_by(seat), 1);
        ask(pebbles % 2 ? seat : 1 - seat);
    } else
    if (cheats() == LEAKS_BY_PROMPT && pebbles < table.heap) {
        table.heap -= pebbles;
        paid(HEAP, taken_by(seat), pebbles);
        table.turn = (u8)(1 - seat);
        event(TURN_BEGAN, table.turn);
        INSIDE(5) {
            put_number(1, table.turn);
            put_number(4, bag % 2);
        }
    } else {
        take(&table, seat, pebbles);
    }
    end_entry(entry, table);
}

static void list_cheating(u32 heap, u32 takes) {
    u32 most = TAKEN_MAX;
    if (cheats() == LEAKS_BY_LIST && remembered % 2) most = 2;
    if (cheats() == ACCEPTS_MORE_THAN_IT_LISTS && heap % 2) most = 2;
    if (cheats() == NEVER_LISTS_THREE) most = 2;
    for (u32 pebbles = 1; takes && pebbles <= most && pebbles <= heap; pebbles++) {
        u8 other[] = {0x0a, 2, 8, (u8)pebbles, 0x10, 1};
        INSIDE(1) {
            put_text(1, "take");
            if (cheats() == LISTS_OTHER_BYTES) put_bytes(2, other, sizeof other);
            else put_action(2, pebbles);
        }
    }
}

static void choose_cheating(struct bytes request) {
    static u32 remembers;
    u8 level = 0;
    u32 heap = told(request, &level).heap;
    if (cheats() == LOOPS_WHILE_CHOOSING) loop();
    if (cheats() == CHOOSES_NOTHING) return;
    u32 limit = cheats() == NEVER_LISTS_THREE ? 2 : TAKEN_MAX;
    u32 most = heap < limit ? heap : limit, pebbles = 1 + below(most);
    if (cheats() == CHOOSES_ILLEGALLY && heap < TAKEN_MAX) pebbles = TAKEN_MAX;
    if (cheats() == REMEMBERS_CHOICES && heap > 1) pebbles = 1 + remembers++ % 2;
    put_action(1, pebbles);
}

u64 EXPORT(croupier_call)(u32 method, const u8 *address, u32 count) {
    struct bytes request = {address, count}, action = {0}, view = {0};
    u32 handle = 0, seat = 0, takes = 1;
    FIELDS(request) {
        if (it.number == 1) {
            handle = (u32)it.value;
            view = it.inside;
        }
        if (it.number == 2) seat = (u32)it.value;
        if (it.number == 3) {
            action = it.inside;
            if (method == 12) takes = it.inside.left == 4;
        }
        if (it.number == 4) takes = 0;
    }
    length = 0;
    switch (method) {
        case 3: open_with_bag(request); break;
        case 4: {
            struct table table = seen(view);
            table.bag = bag_of(view);
            put_number(1, keep(table));
            break;
        }
        case 7:
            if (!is_none(view)) return pebbles_call(method, address, count);
            put_text(1, "take");
            put_bytes(2, none, sizeof none);
            break;
        case 8: act(handle, seat, action); break;
        case 12: list_cheating(seen(view).heap, takes); break;
        case 13: put_action(1, cheats() == ANSWERS_ILLEGALLY ? 3 : 1); break;
        case 15: choose_cheating(request); break;
        default: return pebbles_call(method, address, count);
    }
    return (u64)(u32)answer << 32 | length;
}
