/* devices.c - the devices that can run steps. */
#include <hiss/info.h>

#include <pthread.h>
#include <stdio.h>

#include "api/object/sized.h"
#include "base/number.h"
#include "device/open.h"

#define CARDS_MAX 64

/* Found once. */
struct device {
    char name[16];
    char summary[HISS_ERROR_MAX + 32];
};

static struct device devices[CARDS_MAX + 1];
static int count;

static void fail_card(const hiss_error *why)
{
    struct device *d = &devices[count++];

    snprintf(d->name, sizeof d->name, "cuda");
    snprintf(d->summary, sizeof d->summary, "cannot be used: %s", why->message);
}

static void find_devices(void)
{
    const hs_device_table *table;
    hiss_error why = {0};
    hs_device_card card;
    int cards = 0;

    snprintf(devices[0].name, sizeof devices[0].name, "cpu");
    snprintf(devices[0].summary, sizeof devices[0].summary,
             "the processor, all models and samplers");
    count = 1;
    if (hs_device_open_card(&table, 0, &why) != HISS_OK ||
        table->count(&cards, &why) != HISS_OK) {
        fail_card(&why);
        return;
    }
    for (int n = 0; n < cards && n < CARDS_MAX; n++) {
        struct device *d = &devices[count];

        if (table->card(n, &card, &why) != HISS_OK) {
            fail_card(&why);
            return;
        }
        snprintf(d->name, sizeof d->name, "cuda:%d", n);
        hs_snprintf(d->summary, sizeof d->summary,
                    "%s, %d multiprocessors, %.3g of %.3g GB free", card.name,
                    card.processors, card.free / 1e9, card.bytes / 1e9);
        count++;
    }
}

int hiss_device_info(int number, hiss_type_info *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    hiss_type_info info = {.size = sizeof info};

    pthread_once(&once, find_devices);
    if (number < 0 || number >= count)
        return 0;
    info.name = devices[number].name;
    info.summary = devices[number].summary;
    return hs_sized_fill(out, &info, sizeof info);
}
