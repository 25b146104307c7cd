/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _SDD_WIRE_CIRCUITSTATS_H_
#define _SDD_WIRE_CIRCUITSTATS_H_

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

struct sdd_wire_circuitStats
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum sdd_wire_circuitStats_meta_attribute
{
    sdd_wire_circuitStats_meta_attribute_EPOCH,
    sdd_wire_circuitStats_meta_attribute_TIME_UNIT,
    sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE,
    sdd_wire_circuitStats_meta_attribute_PRESENCE
};

union sdd_wire_circuitStats_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union sdd_wire_circuitStats_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct sdd_wire_circuitStats_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_sbe_position(
    const struct sdd_wire_circuitStats *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_set_sbe_position(
    struct sdd_wire_circuitStats *const codec,
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

SBE_ONE_DEF uint64_t *sdd_wire_circuitStats_sbe_position_ptr(
    struct sdd_wire_circuitStats *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_reset(
    struct sdd_wire_circuitStats *const codec,
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
    if (!sdd_wire_circuitStats_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_copy(
    struct sdd_wire_circuitStats *const codec,
    const struct sdd_wire_circuitStats *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_sbe_block_length(void)
{
    return (uint16_t)32;
}

#define SDD_WIRE_CIRCUIT_STATS_SBE_TEMPLATE_ID (uint16_t)9

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_sbe_template_id(void)
{
    return (uint16_t)9;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_sbe_schema_id(void)
{
    return (uint16_t)1385;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_sbe_schema_version(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF const char* sdd_wire_circuitStats_sbe_semantic_version(void)
{
    return "1";
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_offset(
    const struct sdd_wire_circuitStats *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_wrap_and_apply_header(
    struct sdd_wire_circuitStats *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct sdd_wire_messageHeader *const hdr)
{
    sdd_wire_messageHeader_wrap(
        hdr, buffer + offset, 0, sdd_wire_messageHeader_sbe_schema_version(), buffer_length);

    sdd_wire_messageHeader_set_blockLength(hdr, sdd_wire_circuitStats_sbe_block_length());
    sdd_wire_messageHeader_set_templateId(hdr, sdd_wire_circuitStats_sbe_template_id());
    sdd_wire_messageHeader_set_schemaId(hdr, sdd_wire_circuitStats_sbe_schema_id());
    sdd_wire_messageHeader_set_version(hdr, sdd_wire_circuitStats_sbe_schema_version());

    sdd_wire_circuitStats_reset(
        codec,
        buffer + offset + sdd_wire_messageHeader_encoded_length(),
        0,
        buffer_length - sdd_wire_messageHeader_encoded_length(),
        sdd_wire_circuitStats_sbe_block_length(),
        sdd_wire_circuitStats_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_wrap_for_encode(
    struct sdd_wire_circuitStats *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return sdd_wire_circuitStats_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        sdd_wire_circuitStats_sbe_block_length(),
        sdd_wire_circuitStats_sbe_schema_version());
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_wrap_for_decode(
    struct sdd_wire_circuitStats *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return sdd_wire_circuitStats_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_sbe_rewind(
    struct sdd_wire_circuitStats *const codec)
{
    return sdd_wire_circuitStats_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_encoded_length(
    const struct sdd_wire_circuitStats *const codec)
{
    return sdd_wire_circuitStats_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_buffer(
    const struct sdd_wire_circuitStats *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *sdd_wire_circuitStats_mut_buffer(
    struct sdd_wire_circuitStats *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_buffer_length(
    const struct sdd_wire_circuitStats *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_timeNs_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_timeNs_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_timeNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_timeNs_in_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_timeNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_timeNs_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t sdd_wire_circuitStats_timeNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t sdd_wire_circuitStats_timeNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t sdd_wire_circuitStats_timeNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_timeNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t sdd_wire_circuitStats_timeNs(
    const struct sdd_wire_circuitStats *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_set_timeNs(
    struct sdd_wire_circuitStats *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_configurations_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_configurations_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_configurations_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_configurations_in_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_configurations_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_configurations_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_configurations_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_configurations_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_configurations_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_configurations_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_configurations(
    const struct sdd_wire_circuitStats *const codec)
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

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_set_configurations(
    struct sdd_wire_circuitStats *const codec,
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

SBE_ONE_DEF const char *sdd_wire_circuitStats_lateConfigurations_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_lateConfigurations_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_lateConfigurations_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_lateConfigurations_in_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_lateConfigurations_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_lateConfigurations_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_lateConfigurations_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_lateConfigurations_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_lateConfigurations_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_lateConfigurations_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_lateConfigurations(
    const struct sdd_wire_circuitStats *const codec)
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

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_set_lateConfigurations(
    struct sdd_wire_circuitStats *const codec,
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

SBE_ONE_DEF const char *sdd_wire_circuitStats_latestConfigurationNs_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_latestConfigurationNs_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_latestConfigurationNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_latestConfigurationNs_in_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_latestConfigurationNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_latestConfigurationNs_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_latestConfigurationNs_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_latestConfigurationNs_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_latestConfigurationNs_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_latestConfigurationNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_latestConfigurationNs(
    const struct sdd_wire_circuitStats *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 24, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats *sdd_wire_circuitStats_set_latestConfigurationNs(
    struct sdd_wire_circuitStats *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 24, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

struct sdd_wire_circuitStats_ports
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

SBE_ONE_DEF uint64_t *sdd_wire_circuitStats_ports_sbe_position_ptr(
    struct sdd_wire_circuitStats_ports *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_wrap_for_decode(
    struct sdd_wire_circuitStats_ports *const codec,
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

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_wrap_for_encode(
    struct sdd_wire_circuitStats_ports *const codec,
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

    sdd_wire_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)58);
    sdd_wire_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 58;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_sbe_block_length(void)
{
    return 58;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_sbe_position(
    const struct sdd_wire_circuitStats_ports *const codec)
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

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_set_sbe_position(
    struct sdd_wire_circuitStats_ports *const codec,
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

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_count(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_has_next(
    const struct sdd_wire_circuitStats_ports *const codec)
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

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_next(
    struct sdd_wire_circuitStats_ports *const codec)
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

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_for_each(
    struct sdd_wire_circuitStats_ports *const codec,
    void (*func)(struct sdd_wire_circuitStats_ports *, void *),
    void *const context)
{
    while (sdd_wire_circuitStats_ports_has_next(codec))
    {
        if (!sdd_wire_circuitStats_ports_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_port_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_port_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_port_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_port_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_port_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_port_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_port_null_value(void)
{
    return SBE_NULLVALUE_UINT16;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_port_min_value(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_port_max_value(void)
{
    return (uint16_t)65534;
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_port_encoding_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_port(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint16_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_16(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_port(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint16_t value)
{
    uint16_t val = SBE_LITTLE_ENDIAN_ENCODE_16(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint16_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_circuitPackets_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_circuitPackets_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitPackets_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_circuitPackets_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_circuitPackets_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_circuitPackets_encoding_offset(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitPackets_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitPackets_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitPackets_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_circuitPackets_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitPackets(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 2, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_circuitPackets(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 2, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_circuitBytes_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_circuitBytes_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitBytes_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_circuitBytes_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_circuitBytes_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_circuitBytes_encoding_offset(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitBytes_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitBytes_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitBytes_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_circuitBytes_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_circuitBytes(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 10, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_circuitBytes(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 10, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_packetPackets_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_packetPackets_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetPackets_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_packetPackets_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_packetPackets_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_packetPackets_encoding_offset(void)
{
    return 18;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetPackets_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetPackets_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetPackets_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_packetPackets_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetPackets(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 18, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_packetPackets(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 18, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_packetBytes_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_packetBytes_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetBytes_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_packetBytes_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_packetBytes_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_packetBytes_encoding_offset(void)
{
    return 26;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetBytes_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetBytes_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetBytes_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_packetBytes_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_packetBytes(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 26, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_packetBytes(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 26, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_droppedInNight_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_droppedInNight_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedInNight_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_droppedInNight_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_droppedInNight_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedInNight_encoding_offset(void)
{
    return 34;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedInNight_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedInNight_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedInNight_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedInNight_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedInNight(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 34, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_droppedInNight(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 34, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_droppedOutOfSlot_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_droppedOutOfSlot_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOutOfSlot_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_droppedOutOfSlot_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_droppedOutOfSlot_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedOutOfSlot_encoding_offset(void)
{
    return 42;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOutOfSlot_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOutOfSlot_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOutOfSlot_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedOutOfSlot_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOutOfSlot(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 42, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_droppedOutOfSlot(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 42, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_circuitStats_ports_droppedOther_meta_attribute(
    const enum sdd_wire_circuitStats_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_circuitStats_meta_attribute_EPOCH: return "";
        case sdd_wire_circuitStats_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_circuitStats_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_circuitStats_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_droppedOther_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOther_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_droppedOther_in_acting_version(
    const struct sdd_wire_circuitStats_ports *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_droppedOther_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedOther_encoding_offset(void)
{
    return 50;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOther_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOther_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOther_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_circuitStats_ports_droppedOther_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_droppedOther(
    const struct sdd_wire_circuitStats_ports *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 50, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_droppedOther(
    struct sdd_wire_circuitStats_ports *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 50, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_circuitStats_ports_id(void)
{
    return 5;
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_get_ports(
    struct sdd_wire_circuitStats *const codec,
    struct sdd_wire_circuitStats_ports *const property)
{
    return sdd_wire_circuitStats_ports_wrap_for_decode(
        property,
        codec->buffer,
        sdd_wire_circuitStats_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct sdd_wire_circuitStats_ports *sdd_wire_circuitStats_ports_set_count(
    struct sdd_wire_circuitStats *const codec,
    struct sdd_wire_circuitStats_ports *const property,
    const uint16_t count)
{
    return sdd_wire_circuitStats_ports_wrap_for_encode(
        property,
        codec->buffer,
        count,
        sdd_wire_circuitStats_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_circuitStats_ports_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_circuitStats_ports_in_acting_version(
    const struct sdd_wire_circuitStats *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_circuitStats_ports_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

#endif
