/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _SDD_WIRE_STARTSTOP_H_
#define _SDD_WIRE_STARTSTOP_H_

#include <errno.h>
#if !defined(__STDC_LIMIT_MACROS)
#define __STDC_LIMIT_MACROS 1
#endif
#include <limits.h>
#define SBE_FLOAT_NAN NAN
#define SBE_DOUBLE_NAN NAN
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "status.h"
#include "safePolicy.h"
#include "action.h"
#include "messageHeader.h"
#include "utf8.h"
#include "booleanType.h"
#include "clock.h"
#include "groupSizeEncoding.h"
#include "reason.h"
#include "role.h"
#include "flowMatch.h"
#include "triggerTarget.h"
#include "network.h"
#include "discipline.h"

#ifdef __cplusplus
#define SBE_ONE_DEF inline
#else
#define SBE_ONE_DEF static inline
#endif

/*
 * Define some byte ordering macros
 */
#if defined(WIN32) || defined(_WIN32)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) _byteswap_ushort(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) _byteswap_ulong(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) _byteswap_uint64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define SBE_BIG_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) (v)
#else
    #error "Byte Ordering of platform not determined. Set __BYTE_ORDER__ manually before including this file."
#endif

#if !defined(SBE_BOUNDS_CHECK_EXPECT)
#  if defined(SBE_NO_BOUNDS_CHECK)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (false)
#  elif defined(_MSC_VER)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (exp)
#  else 
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (__builtin_expect(exp, c))
#  endif

#endif

#define SBE_NULLVALUE_INT8 INT8_MIN
#define SBE_NULLVALUE_INT16 INT16_MIN
#define SBE_NULLVALUE_INT32 INT32_MIN
#define SBE_NULLVALUE_INT64 INT64_MIN
#define SBE_NULLVALUE_UINT8 UINT8_MAX
#define SBE_NULLVALUE_UINT16 UINT16_MAX
#define SBE_NULLVALUE_UINT32 UINT32_MAX
#define SBE_NULLVALUE_UINT64 UINT64_MAX

#define E100 -50100 // E_BUF_SHORT
#define E103 -50103 // VAL_UNKNOWN_ENUM
#define E104 -50104 // I_OUT_RANGE_NUM
#define E105 -50105 // I_OUT_RANGE_NUM
#define E106 -50106 // I_OUT_RANGE_NUM
#define E107 -50107 // BUF_SHORT_FLYWEIGHT
#define E108 -50108 // BUF_SHORT_NXT_GRP_IND
#define E109 -50109 // STR_TOO_LONG_FOR_LEN_TYP
#define E110 -50110 // CNT_OUT_RANGE

#ifndef SBE_STRERROR_DEFINED
#define SBE_STRERROR_DEFINED
SBE_ONE_DEF const char *sbe_strerror(const int errnum)
{
    switch (errnum)
    {
        case E100:
            return "buffer too short";
        case E103:
            return "unknown value for enum";
        case E104:
            return "index out of range";
        case E105:
            return "index out of range";
        case E106:
            return "length too large";
        case E107:
            return "buffer too short for flyweight";
        case E108:
            return "buffer too short to support next group index";
        case E109:
            return "std::string too long for length type";
        case E110:
            return "count outside of allowed range";
        default:
            return "unknown error";
    }
}
#endif

struct sdd_wire_startStop
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum sdd_wire_startStop_meta_attribute
{
    sdd_wire_startStop_meta_attribute_EPOCH,
    sdd_wire_startStop_meta_attribute_TIME_UNIT,
    sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE,
    sdd_wire_startStop_meta_attribute_PRESENCE
};

union sdd_wire_startStop_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union sdd_wire_startStop_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct sdd_wire_startStop_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t sdd_wire_startStop_sbe_position(
    const struct sdd_wire_startStop *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool sdd_wire_startStop_set_sbe_position(
    struct sdd_wire_startStop *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
        errno = E100;
        return false;
    }
    codec->position = position;

    return true;
}

SBE_ONE_DEF uint64_t *sdd_wire_startStop_sbe_position_ptr(
    struct sdd_wire_startStop *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_reset(
    struct sdd_wire_startStop *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    const uint64_t acting_block_length,
    const uint64_t acting_version)
{
    codec->buffer = buffer;
    codec->offset = offset;
    codec->buffer_length = buffer_length;
    codec->acting_block_length = acting_block_length;
    codec->acting_version = acting_version;
    if (!sdd_wire_startStop_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_copy(
    struct sdd_wire_startStop *const codec,
    const struct sdd_wire_startStop *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_sbe_block_length(void)
{
    return (uint16_t)32;
}

#define SDD_WIRE_START_STOP_SBE_TEMPLATE_ID (uint16_t)96

SBE_ONE_DEF uint16_t sdd_wire_startStop_sbe_template_id(void)
{
    return (uint16_t)96;
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_sbe_schema_id(void)
{
    return (uint16_t)1385;
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_sbe_schema_version(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF const char* sdd_wire_startStop_sbe_semantic_version(void)
{
    return "1";
}

SBE_ONE_DEF const char *sdd_wire_startStop_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_offset(
    const struct sdd_wire_startStop *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_wrap_and_apply_header(
    struct sdd_wire_startStop *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct sdd_wire_messageHeader *const hdr)
{
    sdd_wire_messageHeader_wrap(
        hdr, buffer + offset, 0, sdd_wire_messageHeader_sbe_schema_version(), buffer_length);

    sdd_wire_messageHeader_set_blockLength(hdr, sdd_wire_startStop_sbe_block_length());
    sdd_wire_messageHeader_set_templateId(hdr, sdd_wire_startStop_sbe_template_id());
    sdd_wire_messageHeader_set_schemaId(hdr, sdd_wire_startStop_sbe_schema_id());
    sdd_wire_messageHeader_set_version(hdr, sdd_wire_startStop_sbe_schema_version());

    sdd_wire_startStop_reset(
        codec,
        buffer + offset + sdd_wire_messageHeader_encoded_length(),
        0,
        buffer_length - sdd_wire_messageHeader_encoded_length(),
        sdd_wire_startStop_sbe_block_length(),
        sdd_wire_startStop_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_wrap_for_encode(
    struct sdd_wire_startStop *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return sdd_wire_startStop_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        sdd_wire_startStop_sbe_block_length(),
        sdd_wire_startStop_sbe_schema_version());
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_wrap_for_decode(
    struct sdd_wire_startStop *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return sdd_wire_startStop_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_sbe_rewind(
    struct sdd_wire_startStop *const codec)
{
    return sdd_wire_startStop_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_encoded_length(
    const struct sdd_wire_startStop *const codec)
{
    return sdd_wire_startStop_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *sdd_wire_startStop_buffer(
    const struct sdd_wire_startStop *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *sdd_wire_startStop_mut_buffer(
    struct sdd_wire_startStop *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_buffer_length(
    const struct sdd_wire_startStop *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_acting_version(
    const struct sdd_wire_startStop *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *sdd_wire_startStop_sessionId_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_sessionId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sessionId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_sessionId_in_acting_version(
    const struct sdd_wire_startStop *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_sessionId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_sessionId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sessionId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sessionId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sessionId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_startStop_sessionId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sessionId(
    const struct sdd_wire_startStop *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_set_sessionId(
    struct sdd_wire_startStop *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_sequence_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_sequence_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sequence_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_sequence_in_acting_version(
    const struct sdd_wire_startStop *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_sequence_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_sequence_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sequence_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sequence_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sequence_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_startStop_sequence_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_sequence(
    const struct sdd_wire_startStop *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_set_sequence(
    struct sdd_wire_startStop *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_period_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_period_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_period_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_period_in_acting_version(
    const struct sdd_wire_startStop *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_period_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_period_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_period_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_period_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_period_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_startStop_period_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_period(
    const struct sdd_wire_startStop *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 16, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_set_period(
    struct sdd_wire_startStop *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 16, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_timeNs_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_timeNs_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_timeNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_timeNs_in_acting_version(
    const struct sdd_wire_startStop *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_timeNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_timeNs_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_timeNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_timeNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t sdd_wire_startStop_timeNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t sdd_wire_startStop_timeNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_timeNs(
    const struct sdd_wire_startStop *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 24, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_startStop *sdd_wire_startStop_set_timeNs(
    struct sdd_wire_startStop *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 24, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

struct sdd_wire_startStop_commands
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t *position_ptr;
    uint64_t block_length;
    uint64_t count;
    uint64_t index;
    uint64_t offset;
    uint64_t acting_version;
};

SBE_ONE_DEF uint64_t *sdd_wire_startStop_commands_sbe_position_ptr(
    struct sdd_wire_startStop_commands *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_wrap_for_decode(
    struct sdd_wire_startStop_commands *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = sdd_wire_groupSizeEncoding_blockLength(&dimensions);
    codec->count = sdd_wire_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_wrap_for_encode(
    struct sdd_wire_startStop_commands *const codec,
    char *const buffer,
    const uint16_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 65534)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct sdd_wire_groupSizeEncoding dimensions;
    if (!sdd_wire_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    sdd_wire_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)13);
    sdd_wire_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 13;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_sbe_block_length(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_sbe_position(
    const struct sdd_wire_startStop_commands *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_set_sbe_position(
    struct sdd_wire_startStop_commands *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
       errno = E100;
       return false;
    }
    *codec->position_ptr = position;

    return true;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_count(
    const struct sdd_wire_startStop_commands *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_has_next(
    const struct sdd_wire_startStop_commands *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return codec->index + 1 < codec->count;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_next(
    struct sdd_wire_startStop_commands *const codec)
{
    codec->offset = *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    if (SBE_BOUNDS_CHECK_EXPECT(((codec->offset + codec->block_length) > codec->buffer_length), false))
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    {
        errno = E108;
        return NULL;
    }
    *codec->position_ptr = codec->offset + codec->block_length;
    ++codec->index;

    return codec;
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_for_each(
    struct sdd_wire_startStop_commands *const codec,
    void (*func)(struct sdd_wire_startStop_commands *, void *),
    void *const context)
{
    while (sdd_wire_startStop_commands_has_next(codec))
    {
        if (!sdd_wire_startStop_commands_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_commands_queue_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_commands_queue_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_queue_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_queue_in_acting_version(
    const struct sdd_wire_startStop_commands *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_commands_queue_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_queue_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint32_t sdd_wire_startStop_commands_queue_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t sdd_wire_startStop_commands_queue_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t sdd_wire_startStop_commands_queue_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_queue_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t sdd_wire_startStop_commands_queue(
    const struct sdd_wire_startStop_commands *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_set_queue(
    struct sdd_wire_startStop_commands *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_commands_action_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_commands_action_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_action_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_action_in_acting_version(
    const struct sdd_wire_startStop_commands *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_commands_action_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_action_encoding_offset(void)
{
    return 4;
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_action_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_action(
    const struct sdd_wire_startStop_commands *const codec,
    enum sdd_wire_action *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 4, sizeof(uint8_t));

    return sdd_wire_action_get((val), out);
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_set_action(
    struct sdd_wire_startStop_commands *const codec,
    const enum sdd_wire_action value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 4, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_startStop_commands_untilNs_meta_attribute(
    const enum sdd_wire_startStop_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_startStop_meta_attribute_EPOCH: return "";
        case sdd_wire_startStop_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_startStop_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_startStop_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_commands_untilNs_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_untilNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_untilNs_in_acting_version(
    const struct sdd_wire_startStop_commands *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_commands_untilNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_untilNs_encoding_offset(void)
{
    return 5;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_commands_untilNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_commands_untilNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t sdd_wire_startStop_commands_untilNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t sdd_wire_startStop_commands_untilNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t sdd_wire_startStop_commands_untilNs(
    const struct sdd_wire_startStop_commands *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 5, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_set_untilNs(
    struct sdd_wire_startStop_commands *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 5, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_startStop_commands_id(void)
{
    return 5;
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_get_commands(
    struct sdd_wire_startStop *const codec,
    struct sdd_wire_startStop_commands *const property)
{
    return sdd_wire_startStop_commands_wrap_for_decode(
        property,
        codec->buffer,
        sdd_wire_startStop_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct sdd_wire_startStop_commands *sdd_wire_startStop_commands_set_count(
    struct sdd_wire_startStop *const codec,
    struct sdd_wire_startStop_commands *const property,
    const uint16_t count)
{
    return sdd_wire_startStop_commands_wrap_for_encode(
        property,
        codec->buffer,
        count,
        sdd_wire_startStop_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_startStop_commands_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_startStop_commands_in_acting_version(
    const struct sdd_wire_startStop *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_startStop_commands_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

#endif
